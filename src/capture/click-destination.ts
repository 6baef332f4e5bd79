/**
 * Whether a click link may lead there (spec, Click redirect, rule 5): an absolute `http` or `https` address without
 * user info whose host, port ignored, is the one that served the link or the preview host. Both are lower-case, without
 * port and trailing dot.
 *
 * What is judged is what the URL parser makes of the text, and so must be what is sent: `new URL(destination).href`.
 */
export function clickDestinationAllowed(destination: string, servedHost: string, previewHost: string): boolean {
  if (!absoluteHttp.test(destination)) return false
  const url = URL.parse(destination)
  if (url === null || url.username !== '' || url.password !== '') return false
  const host = url.hostname.replace(/\.$/, '')
  return host === servedHost || host === previewHost
}

/**
 * What the parser would mend is refused, since others mend it differently: `https:host`, backslashes, control
 * characters, white space, and an `@` where the host stands.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const absoluteHttp = /^https?:\/\/[^/?#@\\\s\u0000-\u001f\u007f]+(?:[/?#][^\\\s\u0000-\u001f\u007f]*)?$/i
