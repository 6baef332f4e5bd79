const slugPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Whether the text can be a landing page's slug. */
export const isSlug = (text: string): boolean => slugPattern.test(text)

export const assetPathCharactersMax = 500

/** Percent-encoded, a name's path has at most nine characters for each of its own. */
const rawCharactersMax = 9 * assetPathCharactersMax
/** More than a name of the most characters has, with the segments before it. */
const segmentsMax = 256

/** Whether nothing of a site can have this path of a URL, which is then not worth decoding. */
export const isTooLong = (path: string): boolean =>
  path.length > rawCharactersMax || path.split('/', segmentsMax + 1).length > segmentsMax

/**
 * One name in an image's or file's path: letters, digits and marks of any script, spaces, and the punctuation below;
 * no dot in front, no space at either end, no dot at the end. Left out is what a URL, a shell or another operating
 * system reads as something else: / \ : * ? " < > | % # and every control and formatting character.
 */
const segmentPattern =
  /^[\p{L}\p{M}\p{N}_~!$&'()+,;=@-](?:[\p{L}\p{M}\p{N} ._~!$&'()+,;=@-]*[\p{L}\p{M}\p{N}_~!$&'()+,;=@-])?$/u

export const isPathSegment = (text: string): boolean => segmentPattern.test(text)

/** A name's path as it stands in a URL: each segment percent-encoded as UTF-8 (RFC 3986 section 2.5). */
export const encodeAssetPath = (name: string): string => name.split('/').map(encodeURIComponent).join('/')

/** The name that a URL's path means, in Unicode form NFC as names are kept; `null`: no image or file can have it. */
export function decodeAssetPath(path: string): string | null {
  if (isTooLong(path)) return null
  const segments = path.split('/').map(decodedSegment)
  if (!segments.every((segment) => segment !== null && isPathSegment(segment))) return null
  const name = segments.join('/')
  return name.length <= assetPathCharactersMax ? name : null
}

function decodedSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment).normalize('NFC')
  } catch {
    return null
  }
}
