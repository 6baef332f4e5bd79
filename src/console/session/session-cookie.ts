import { newKeyText } from '../../lib/id.ts'
import { lifeMsMax } from './session.ts'

const headerCharactersMax = 16_384

interface CookieAttributes {
  maxAgeSeconds: number
  secure: boolean
  /** `Lax`: also sent when a link elsewhere led here. */
  sameSite?: 'Strict' | 'Lax'
}

/** No script reads the console's cookies, and no other site has them sent along with its requests. */
export const setCookie = (
  name: string,
  value: string,
  { maxAgeSeconds, secure, sameSite = 'Strict' }: CookieAttributes,
): string =>
  `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`

export interface CookiePlace {
  secure: boolean
  /** `cookieMarkOf` the box. */
  cookieMark: string
}

/** Short, and says nothing of the id. */
export const cookieMarkOf = (boxId: string): string => Bun.SHA256.hash(boxId, 'hex').slice(0, 8)

/**
 * `__Host-` binds a cookie to this host over HTTPS. A browser refuses it over plain HTTP, which the machine's own address uses;
 * there the box's mark keeps several boxes on `localhost` apart, because cookies do not tell ports apart.
 */
export const hostCookieName = (name: string, { secure, cookieMark }: CookiePlace): string =>
  secure ? `__Host-${name}` : `${name}-${cookieMark}`

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

/** 43 of 62 characters are 256 bits. */
const secretCharacters = 43

const cookieName = (place: CookiePlace): string => hostCookieName('console', place)

export const newSessionSecret = (): string => newKeyText(secretCharacters)

/** The hash by which a session is found: SHA-256 in hex. The secret is random, so a plain hash is enough. */
export const sessionHash = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

/** The secret in a `Cookie` header; `null`: there is none, or several differ. */
export const sessionSecret = (header: string | null, place: CookiePlace): string | null =>
  cookieValue(header, cookieName(place), `[A-Za-z0-9]{${secretCharacters}}`)

export const sessionCookie = (secret: string, place: CookiePlace): string =>
  setCookie(cookieName(place), secret, { maxAgeSeconds: lifeMsMax / 1000, secure: place.secure })

export const clearedSessionCookie = (place: CookiePlace): string =>
  setCookie(cookieName(place), '', { maxAgeSeconds: 0, secure: place.secure })
