import type { RefusalCount } from '../../capture/refusal-log.ts'

/** What the serving thread hands over to be made durable, whole or not at all. */
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
  /** For each spend, whether the challenge was unspent until now. */
  spent: boolean[]
}

/**
 * Makes batches durable, in the order in which they are handed over; several may be under way at once, and may share a
 * transaction. Rejects when nothing of the batch was stored.
 */
export interface BatchCommitter {
  commit(batch: WriteBatch): Promise<CommittedBatch>
  /** Resolves when what was committed is on disk and the connection is closed. */
  close(): Promise<void>
}

/** What a batch of nothing but entries of known accounts comes to. */
export const plainlyCommitted: CommittedBatch = { homeless: [], spent: [] }
