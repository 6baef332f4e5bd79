/** A browser that has signed in. */
export interface BrowserSession {
  /** UUIDv7; public, unlike the secret in the cookie. */
  id: string
  userId: string
  /** Epoch milliseconds. */
  createdAt: number
  lastUsedAt: number
  /** When the user last proved who they are. */
  provedAt: number
  /** As its browser named itself, cut to 200 characters. */
  userAgent: string
  address: string
}

/** A session ends when it was not used for so long, and at the latest so long after it began. */
export const idleMsMax = 12 * 3_600_000
export const lifeMsMax = 30 * 86_400_000
/** How long a proof of who the user is stands for what must not be done by whoever finds a screen open. */
export const proofMsMax = 10 * 60_000

export const isProved = ({ provedAt }: Pick<BrowserSession, 'provedAt'>, now: number): boolean =>
  now - provedAt < proofMsMax

export const isOver = ({ createdAt, lastUsedAt }: BrowserSession, now: number): boolean =>
  now - lastUsedAt >= idleMsMax || now - createdAt >= lifeMsMax

/** Sessions of the console. Secrets are stored as SHA-256 alone. */
export interface SessionStore {
  /** @param hash of the cookie's secret, SHA-256 in hex */
  begin(hash: string, session: BrowserSession): Promise<void>
  find(hash: string): Promise<BrowserSession | null>
  /** Notes a use; not more often than once a minute. */
  noteUse(id: string, at: number): Promise<void>
  noteProof(id: string, at: number): Promise<void>
  /** Latest first. */
  ofUser(userId: string): Promise<BrowserSession[]>
  /** @returns `false`: the user has no such session */
  end(userId: string, id: string): Promise<boolean>
  endOthers(userId: string, keptId: string): Promise<number>
  eraseOver(now: number): Promise<number>
}
