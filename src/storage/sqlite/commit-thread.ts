import { systemClock } from '../../lib/clock.ts'
import { BatchTransaction } from './batch-transaction.ts'
import { type CommitReply, decodeRequest } from './worker-messages.ts'
import type { CommittedBatch, WriteBatch } from './write-batch.ts'

/** Where replies go. */
export interface ReplyPort {
  postMessage(reply: CommitReply): void
}

/**
 * The writing thread's side of `WorkerCommitter`: whatever has arrived by the time the disk is free again shares one
 * transaction and one fsync. The database is opened when first needed, and anew after a failure.
 */
export class CommitThread {
  private databaseFile = ''
  private transaction: BatchTransaction | null = null
  private waiting: WriteBatch[] = []

  constructor(private readonly port: ReplyPort) {}

  receive(message: string): void {
    const request = decodeRequest(message)
    if ('open' in request) this.databaseFile = request.open
    else if ('close' in request) this.close()
    else this.enqueue(request.commit)
  }

  private enqueue(batch: WriteBatch): void {
    this.waiting.push(batch)
    // Behind the messages that have arrived already, so that they all come along.
    if (this.waiting.length === 1) setImmediate(() => this.commitWaiting())
  }

  private commitWaiting(): void {
    const batches = this.waiting.splice(0)
    if (batches.length === 0) return
    try {
      this.transaction ??= new BatchTransaction(this.databaseFile)
      const committed = this.transaction.commit(batches, systemClock.now())
      this.port.postMessage(committed.every(isPlain) ? committed.length : { committed })
    } catch (error) {
      this.reopenLater()
      const reason = error instanceof Error ? error.message : String(error)
      this.port.postMessage({ failed: reason, batches: batches.length })
    }
  }

  /** A connection that met an I/O error may hold a half-written log; a new one recovers from what is on disk. */
  private reopenLater(): void {
    try {
      this.transaction?.close()
    } finally {
      this.transaction = null
      // SQLite keeps a closed connection, its files and its cache, until the last of its statements has gone too. On a
      // disk that stays full that would be one every half second.
      Bun.gc(true)
    }
  }

  private close(): void {
    this.commitWaiting()
    this.reopenLater()
    this.port.postMessage({ closed: true })
  }
}

const isPlain = ({ homeless, spent }: CommittedBatch) => homeless.length === 0 && spent.length === 0
