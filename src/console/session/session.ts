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
export const proofMsMax = 10 * 60_000

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
