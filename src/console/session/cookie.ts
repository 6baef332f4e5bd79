const headerCharactersMax = 16_384

/** The console's cookies are sent to its own pages alone, and no script reads them. */
export const setCookie = (
  name: string,
  value: string,
  { maxAgeSeconds, secure }: { maxAgeSeconds: number; secure: boolean },
): string => `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`

/** `__Host-` binds a cookie to this host over HTTPS. A browser refuses it over plain HTTP, which the machine's own address uses. */
export const hostCookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** The value in a `Cookie` header (RFC 6265 section 4.2); `null`: there is none, or several differ. @param pattern of the value */
export function cookieValue(header: string | null, name: string, pattern: string): string | null {
  if (header === null || header.length > headerCharactersMax) return null
  const found = new Set(
    Array.from(
      header.matchAll(new RegExp(`(?:^|;)[ \\t]*${name}=(${pattern})[ \\t]*(?=;|$)`, 'g')),
      ([, value]) => value,
    ),
  )
  const [value = null] = found
  return found.size === 1 ? value : null
}
