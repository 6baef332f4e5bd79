import { newKeyText } from '../../lib/id.ts'

export type Proof = 'password' | 'passkey'

export interface BrowserSession {
  /** UUIDv7; public, unlike the secret in the cookie. */
  id: string
  userId: string
  createdAt: number
  lastUsedAt: number
  provedAt: number
  provedBy: Proof
  /** The browser's user agent, cut to 200 characters. */
  userAgent: string
  address: string
}

/** A session ends after this time without use, and at the latest this long after it began. */
export const idleMsMax = 12 * 3_600_000
export const lifeMsMax = 30 * 86_400_000
/** One more ends the session that has not been used for the longest time. */
export const sessionsOfUserMax = 20
/** How long a user's confirmed identity is enough for sensitive acts. */
const proofMsMax = 10 * 60_000

export const isProved = ({ provedAt }: Pick<BrowserSession, 'provedAt'>, now: number): boolean =>
  now - provedAt < proofMsMax

export const isOver = ({ createdAt, lastUsedAt }: BrowserSession, now: number): boolean =>
  now - lastUsedAt >= idleMsMax || now - createdAt >= lifeMsMax

/**
 * Sessions of the console. Secrets are stored only as SHA-256.
 *
 * Guarantees: no user has more than `sessionsOfUserMax`.
 */
export interface SessionStore {
  /** @param hash of the cookie's secret, SHA-256 in hex */
  begin(hash: string, session: BrowserSession): Promise<void>
  find(hash: string): Promise<BrowserSession | null>
  /** Records a use, at most once a minute. */
  noteUse(id: string, at: number): Promise<void>
  /** Records that the user confirmed who they are. The session goes on under another secret. @param hash of the new secret */
  noteProof(id: string, proof: { at: number; by: Proof; hash: string }): Promise<void>
  /** Latest first. */
  ofUser(userId: string): Promise<BrowserSession[]>
  /** @returns `false`: the user has no such session */
  end(userId: string, id: string): Promise<boolean>
  endOthers(userId: string, keptId: string): Promise<number>
  /** @returns how many there were */
  endAll(userId: string): Promise<number>
  eraseOver(now: number): Promise<number>
}

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
