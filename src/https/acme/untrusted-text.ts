/** C0, DEL, C1, marks without width, line and paragraph separators, and marks that turn the direction of writing. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu
const charactersMax = 400

/**
 * What a server wrote, as it may stand in one line of a log or terminal: without control characters, which could
 * rewrite what stands before, and cut to a length that a sentence has.
 */
export function cleanedText(text: string): string {
  // Cut first, so that an endless text costs no more than a long one.
  const line = text
    .slice(0, charactersMax * 4)
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax - 1).toWellFormed()}…`
}
