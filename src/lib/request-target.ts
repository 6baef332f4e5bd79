/**
 * The path and query that a request names (RFC 9112 section 3.2.1), whatever its Host: of one that no URL can hold, such
 * as `host.1` behind a proxy, the runtime's `request.url` is the path alone or cannot be parsed.
 */
export function requestTarget({ url }: Request): string {
  if (url.startsWith('/')) return url
  const pathStart = url.indexOf('/', url.indexOf('://') + 3)
  return pathStart < 0 ? '/' : url.slice(pathStart)
}

/** The same, parsed; never throws. Ignore its host. */
export const targetUrl = (request: Request): URL => new URL(`http://target.invalid${requestTarget(request)}`)
