import type { Entry } from './entry.ts'

interface DecisionBase {
  /** UUIDv7. */
  id: string
  accountId: string
  /** When it was decided, epoch milliseconds. */
  receivedAt: number
}

/** From here on a refused submission counts. Its `id` is the submission's: one is released once. */
export interface ReleaseEntry extends DecisionBase {
  kind: 'release'
}

/** What an erasure took. One that took many records, or was interrupted, has several entries. */
export interface ErasureEntry extends DecisionBase {
  kind: 'erasure'
  /** The same in all entries of one erasure: UUIDv7. */
  erasureId: string
  /** `null`: nobody was known by the address, and only records named it. */
  personId: string | null
  /** Ids of the records that were deleted with this entry: at most `erasedIdsMax`. */
  records: string[]
  /** Whether everything found had been taken by then. */
  isEnd: boolean
}

/** An entry of 40 KB. */
export const erasedIdsMax = 1000

/**
 * What an operator decided about records: kept in the ledger among them, so that whoever reads it again from the
 * beginning comes to the same. It names records by id and says nothing of what they hold.
 */
export type Decision = ReleaseEntry | ErasureEntry
export type DecisionKind = Decision['kind']

/** All that stands in the ledger. */
export type LedgerEntry = Entry | Decision

export const isDecision = (entry: LedgerEntry): entry is Decision =>
  entry.kind === 'release' || entry.kind === 'erasure'
