import { newKeyText } from '../../lib/id.ts'
import { lifeMsMax } from './session.ts'

/** 43 of 62 characters are 256 bits. */
const secretCharacters = 43
const headerCharactersMax = 16_384

/** `__Host-` binds the cookie to this host over HTTPS. A browser refuses it over plain HTTP, which the machine's own address uses. */
const cookieName = (secure: boolean): string => (secure ? '__Host-console' : 'console')

export const newSessionSecret = (): string => newKeyText(secretCharacters)

/** The hash by which a session is found: SHA-256 in hex. The secret is random, so a plain hash is enough. */
export const sessionHash = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

/** The secret in a `Cookie` header (RFC 6265 section 4.2); `null`: there is none, or several differ. */
export function sessionSecret(header: string | null, secure: boolean): string | null {
  if (header === null || header.length > headerCharactersMax) return null
  const pattern = new RegExp(
    `(?:^|;)[ \\t]*${cookieName(secure)}=([A-Za-z0-9]{${secretCharacters}})[ \\t]*(?=;|$)`,
    'g',
  )
  const found = new Set(Array.from(header.matchAll(pattern), ([, secret]) => secret))
  const [secret = null] = found
  return found.size === 1 ? secret : null
}

export const sessionCookie = (secret: string, secure: boolean): string =>
  `${cookieName(secure)}=${secret}; Max-Age=${lifeMsMax / 1000}; ${attributes(secure)}`

export const clearedSessionCookie = (secure: boolean): string =>
  `${cookieName(secure)}=; Max-Age=0; ${attributes(secure)}`

const attributes = (secure: boolean): string => `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
