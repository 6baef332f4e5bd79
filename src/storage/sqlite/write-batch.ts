import type { RefusalCount } from '../../capture/refusal-log.ts'

/** What the serving thread hands to the writing one, to be committed as one transaction. */
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

/** Makes batches durable, one at a time. Rejects when nothing of the batch was stored. */
export interface BatchCommitter {
  commit(batch: WriteBatch): Promise<CommittedBatch>
  /** Resolves when what was committed is on disk and the connection is closed. */
  close(): Promise<void>
}
