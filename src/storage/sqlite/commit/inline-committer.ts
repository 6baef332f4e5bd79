import type { Clock } from '../../../lib/clock.ts'
import { BatchTransaction } from './batch-transaction.ts'
import { type BatchCommitter, type CommittedBatch, plainlyCommitted, type WriteBatch } from './write-batch.ts'

/** Commits on the calling thread: for commands, which keep no requests waiting. */
export class InlineCommitter implements BatchCommitter {
  private transaction: BatchTransaction | null = null

  constructor(
    private readonly databaseFile: string,
    private readonly clock: Clock,
  ) {}

  async commit(batch: WriteBatch): Promise<CommittedBatch> {
    this.transaction ??= new BatchTransaction(this.databaseFile)
    const [committed = plainlyCommitted] = this.transaction.commit([batch], this.clock.now())
    return committed
  }

  async close(): Promise<void> {
    this.transaction?.close()
    this.transaction = null
  }
}
