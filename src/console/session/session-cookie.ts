import { newKeyText } from '../../lib/id.ts'
import { type CookiePlace, cookieValue, hostCookieName, setCookie } from './cookie.ts'
import { lifeMsMax } from './session.ts'

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
