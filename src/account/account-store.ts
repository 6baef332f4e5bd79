import type { StoredAccount } from './account.ts'

/** An opaque version mark. Equal marks mean that nothing changed. */
export type Revision = string

/** An account as a list shows it. */
export interface AccountSummary {
  id: string
  handle: string
  /** The revision of its last change. */
  changedAt: Revision
}

/** What removing an account deleted. */
export interface RemovalCounts {
  pages: number
  images: number
  files: number
  forms: number
  records: number
}

/**
 * The accounts of this box.
 *
 * Guarantees: `revision` changes with every change that any of the others would show, before the change's promise
 * resolves; a change is visible whole or not at all; no write holds up another writer for longer than 20 ms.
 */
export interface AccountStore {
  revision(): Promise<Revision>
  /** In order of their handles. */
  list(): Promise<AccountSummary[]>
  find(handle: string): Promise<StoredAccount | null>
  /** The handle of the account that holds the connected domain. */
  holderOf(host: string): Promise<string | null>
  /** The new key matches from now on; those before it until `oldValidUntil` (epoch milliseconds), or no more when `null`. */
  addTrackingKey(accountId: string, fingerprint: string, oldValidUntil: number | null): Promise<void>
  /** Clears every fingerprint; answers how many keys that revoked. */
  revokeTrackingKeys(accountId: string): Promise<number>
  /** What `remove` would delete; of its records, so many at most are counted. */
  countsOf(accountId: string, recordsMax?: number): Promise<RemovalCounts>
  /** Visitors lose the account at once; its rows are deleted in small steps. */
  remove(accountId: string): Promise<void>
  /** Finishes interrupted removals; answers how many accounts they concerned. */
  finishRemovals(): Promise<number>
}
