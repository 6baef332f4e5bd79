import { newKeyText } from '../../lib/id.ts'
import { cookieValue, hostCookieName, setCookie } from './cookie.ts'
import { lifeMsMax } from './session.ts'

/** 43 of 62 characters are 256 bits. */
const secretCharacters = 43

const cookieName = (secure: boolean): string => hostCookieName('console', secure)

export const newSessionSecret = (): string => newKeyText(secretCharacters)

/** The hash by which a session is found: SHA-256 in hex. The secret is random, so a plain hash is enough. */
export const sessionHash = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

/** The secret in a `Cookie` header; `null`: there is none, or several differ. */
export const sessionSecret = (header: string | null, secure: boolean): string | null =>
  cookieValue(header, cookieName(secure), `[A-Za-z0-9]{${secretCharacters}}`)

export const sessionCookie = (secret: string, secure: boolean): string =>
  setCookie(cookieName(secure), secret, { maxAgeSeconds: lifeMsMax / 1000, secure })

export const clearedSessionCookie = (secure: boolean): string =>
  setCookie(cookieName(secure), '', { maxAgeSeconds: 0, secure })
