import type { Entry } from './entry.ts'

/** From here on a refused submission counts. */
export interface ReleaseEntry {
  kind: 'release'
  /** The submission's: one is released once. */
  id: string
  accountId: string
  /** When it was released, epoch milliseconds. */
  receivedAt: number
}

/**
 * What an operator decided about records: kept in the ledger among them, so that whoever reads it again from the
 * beginning comes to the same. It names records by id and says nothing of what they hold.
 */
export type Decision = ReleaseEntry
export type DecisionKind = Decision['kind']

/** All that stands in the ledger. */
export type LedgerEntry = Entry | Decision

export const isDecision = (entry: LedgerEntry): entry is Decision => entry.kind === 'release'
