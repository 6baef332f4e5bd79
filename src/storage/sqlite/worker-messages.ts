import type { CommittedBatch, WriteBatch } from './write-batch.ts'

/** To the writing thread. Answered one for one, in order, except `open`. */
export type CommitRequest = { open: string } | { commit: WriteBatch } | { close: true }

/** From the writing thread. */
export type CommitReply = { committed: CommittedBatch } | { failed: string } | { closed: true }
