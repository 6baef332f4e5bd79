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

/** The value of a parameter that stands once in a query. Rejects repeated ones: a proxy might read the other one. */
export function onlyValue(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name)
  return values.length === 1 ? (values[0] ?? null) : null
}
