/** Whether a click link may lead there: see `allowedClickDestination`. */
export const clickDestinationAllowed = (destination: string, servedHost: string, previewHost: string): boolean =>
  allowedClickDestination(destination, servedHost, previewHost) !== null

/**
 * Where a click link may lead, as it is to be sent; `null` where it may not (spec, Click redirect, rule 5): an absolute `http` or `https` address without
 * user info whose host, port ignored, is the one that served the link or the preview host. Both are lower-case, without
 * port and trailing dot.
 *
 * What is judged is what the URL parser makes of the text, and so is what is sent.
 */
export function allowedClickDestination(destination: string, servedHost: string, previewHost: string): string | null {
  if (!absoluteHttp.test(destination)) return null
  const url = URL.parse(destination)
  if (url === null || url.username !== '' || url.password !== '') return null
  const { hostname } = url
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  return host === servedHost || host === previewHost ? url.href : null
}

/**
 * What the parser would mend is refused, since others mend it differently: `https:host`, backslashes, control
 * characters, white space, and an `@` where the host stands.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const absoluteHttp = /^https?:\/\/[^/?#@\\\s\u0000-\u001f\u007f]+(?:[/?#][^\\\s\u0000-\u001f\u007f]*)?$/i
