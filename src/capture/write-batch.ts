import type { MissingCount } from './missing-log.ts'
import type { RefusalCount } from './refusal-log.ts'

/**
 * A unit that the serving thread hands over to be made durable, whole or not at all. An empty one is a probe: see
 * `emptyBatch`.
 */
export interface WriteBatch extends Beside {
  /** Lines of ledger-codec.ts, each beginning with its account's id and a tab. */
  entries: string
  spends: ChallengeSpend[]
}

/** What is counted and noted beside the ledger. */
export interface Beside {
  refusals: RefusalCount[]
  missing: MissingCount[]
  /** Contents that perhaps no record names. */
  looseFiles: string[]
}

export interface ChallengeSpend {
  accountId: string
  challenge: string
  expiresAt: number
}

export interface CommittedBatch {
  /** Positions of entries whose account was removed; these were not stored. */
  homeless: number[]
  /** For each spend, whether the challenge was unspent; unknown for spends beyond the list's end. */
  spent: boolean[]
}

/** A batch without effect, committed like any other: if it succeeds, records would too. */
export const emptyBatch: WriteBatch = { entries: '', refusals: [], missing: [], looseFiles: [], spends: [] }

export const isEmpty = ({ entries, ...besides }: WriteBatch): boolean => entries === '' && isBare(besides)

/** Whether a batch has nothing beside its entries. */
export const isBare = ({ refusals, missing, looseFiles, spends }: Omit<WriteBatch, 'entries'>): boolean =>
  refusals.length === 0 && missing.length === 0 && looseFiles.length === 0 && spends.length === 0

/**
 * Makes batches durable; what is handed over after another has resolved comes after it. Several may be in flight and may
 * share a transaction. Rejects when nothing of the batch was stored, or no entry of it is known to be, within 5 s whatever the
 * disk does: with `WriterGone` if the writing thread does not answer.
 */
export interface BatchCommitter {
  commit(batch: WriteBatch): Promise<CommittedBatch>
  /** Resolves when everything committed is on disk and the connection is closed. */
  close(): Promise<void>
}

/** The outcome of a batch that only holds entries of known accounts. */
export const plainlyCommitted: CommittedBatch = { homeless: [], spent: [] }
