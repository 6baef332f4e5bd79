import type { Entry } from './entry.ts'

interface DecisionBase {
  /** UUIDv7. */
  id: string
  accountId: string
  /** When it was decided, epoch milliseconds. */
  receivedAt: number
}

/** Makes a refused submission count. Its `id` is the submission's, because a submission is released once. */
export interface ReleaseEntry extends DecisionBase {
  kind: 'release'
}

/** What an erasure deleted. A large or interrupted erasure has several entries. */
export interface ErasureEntry extends DecisionBase {
  kind: 'erasure'
  /** The same in all entries of one erasure: UUIDv7. */
  erasureId: string
  /** `null`: no person had the address; only records contained it. */
  personId: string | null
  /** Ids of the records that were deleted with this entry: at most `erasedIdsMax`. */
  records: string[]
  /** Whether this entry completes the erasure. */
  isEnd: boolean
}

/** An entry of 40 KB. */
export const erasedIdsMax = 1000

/**
 * An operator's decision about records. It is stored in the ledger, so that reading the ledger from the beginning gives the same
 * result. It names records by id and contains nothing of them.
 */
export type Decision = ReleaseEntry | ErasureEntry
export type DecisionKind = Decision['kind']

/** Every entry of the ledger. */
export type LedgerEntry = Entry | Decision

export const isDecision = (entry: LedgerEntry): entry is Decision =>
  entry.kind === 'release' || entry.kind === 'erasure'
