import type { StoredAccount } from './account.ts'

/** An opaque version. Equal versions mean that nothing has changed. */
export type Revision = string

/** An account in a list. */
export interface AccountSummary {
  id: string
  handle: string
  name: string
  /** The revision of its last change. */
  changedAt: Revision
}

/** A disk has damaged what the box knows of one account. The cause says more; others can be read. */
export class UnreadableAccount extends Error {
  override readonly name = 'UnreadableAccount'
}

/** What an account holds, in the order in which people read it. */
export const contentNames = ['pages', 'images', 'files', 'assets', 'forms', 'records'] as const

export const ofContents = <T>(make: () => T) =>
  Object.fromEntries(contentNames.map((name) => [name, make()])) as Record<(typeof contentNames)[number], T>

export type ContentCounts = ReturnType<typeof ofContents<number>>

/**
 * The accounts of this box.
 *
 * Guarantees: `revision` changes with every change that another method shows, before the change's promise resolves; a change is
 * visible completely or not at all; no write delays another writer for longer than 20 ms.
 */
export interface AccountStore {
  revision(): Promise<Revision>
  /** Ordered by handle. */
  list(): Promise<AccountSummary[]>
  /** @throws UnreadableAccount */
  find(handle: string): Promise<StoredAccount | null>
  /** The handle of the account that holds the connected domain. */
  holderOf(host: string): Promise<string | null>
  /** The new key is valid from now on. Older keys are valid until `oldValidUntil` (epoch milliseconds); with `null`, they end now. */
  addTrackingKey(accountId: string, fingerprint: string, oldValidUntil: number | null): Promise<void>
  /** Clears every fingerprint. @returns the number of revoked keys */
  revokeTrackingKeys(accountId: string): Promise<number>
  /** What `remove` would delete; of its records, so many at most are counted. */
  countsOf(accountId: string, recordsMax?: number): Promise<ContentCounts>
  /** Visitors lose the account at once; its rows are deleted in small steps. */
  remove(accountId: string): Promise<void>
  /** Finishes interrupted removals. @returns the number of accounts */
  finishRemovals(): Promise<number>
}
