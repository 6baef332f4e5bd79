import type { RefusalCount } from '../../../capture/refusal-log.ts'

/** What the serving thread hands over to be made durable, whole or not at all. An empty one is a probe: see `emptyBatch`. */
export interface WriteBatch {
  /** Lines of ledger-codec.ts. */
  entries: string
  refusals: RefusalCount[]
  spends: ChallengeSpend[]
}

export interface ChallengeSpend {
  accountId: string
  challenge: string
  /** Epoch milliseconds. */
  expiresAt: number
}

/** What became of a committed batch. */
export interface CommittedBatch {
  /** Positions of entries whose account is no longer on the box: they were not stored. */
  homeless: number[]
  /** For each spend, whether the challenge was unspent until now; where it ends early, nobody knows of the others. */
  spent: boolean[]
}

/** Changes nothing, and is committed like any other batch: whoever sees it committed knows that records would be too. */
export const emptyBatch: WriteBatch = { entries: '', refusals: [], spends: [] }

export const isEmpty = ({ entries, refusals, spends }: WriteBatch): boolean =>
  entries === '' && refusals.length === 0 && spends.length === 0

/**
 * Makes batches durable, in the order in which they are handed over; several may be under way at once, and may share a
 * transaction. Rejects when nothing of the batch was stored; with `WriterGone`, when no entry of it is known to be stored,
 * within 5 s whatever the disk does.
 */
export interface BatchCommitter {
  commit(batch: WriteBatch): Promise<CommittedBatch>
  /** Resolves when what was committed is on disk and the connection is closed. */
  close(): Promise<void>
}

/** What a batch of nothing but entries of known accounts comes to. */
export const plainlyCommitted: CommittedBatch = { homeless: [], spent: [] }
