import { type CommitReply, type CommitRequest, encodeRequest, type ProcessingNotice } from './worker-messages.ts'
import { type BatchCommitter, type CommittedBatch, plainlyCommitted, type WriteBatch } from './write-batch.ts'

/** How long the worker may take to close its connection before it is left to the end of the process. */
const closeMsMax = 5000

/** Before a worker that died is replaced with nothing to commit: one that dies at its start is not to keep the box busy. */
export const restartPauseMs = 500

interface Pending {
  resolve: (committed: CommittedBatch) => void
  reject: (error: Error) => void
}

/**
 * Commits on a thread of its own, so that the wait for the disk never stands on the event loop that answers requests
 * (docs/decisions). A worker that dies is replaced with the next batch, or a moment later without one, since it also
 * processes; the batches it held are rejected.
 */
export class WorkerCommitter implements BatchCommitter {
  private worker: Worker | null
  /** Handed over and not answered yet, oldest first: replies come in the same order. */
  private pending: Pending[] = []
  private closed: (() => void) | null = null
  private isClosing = false
  private restart: Timer | null = null

  constructor(
    private readonly workerFile: string | URL,
    private readonly databaseFile: string,
    /** Told what an operator should hear of processing, as often as it happens. */
    private readonly onNotice: (notice: ProcessingNotice) => void,
  ) {
    // Before there is anything to commit: the thread also processes what waits.
    this.worker = this.start()
  }

  commit(batch: WriteBatch): Promise<CommittedBatch> {
    return new Promise((resolve, reject) => {
      this.pending.push({ resolve, reject })
      this.send({ commit: batch })
    })
  }

  async close(): Promise<void> {
    this.isClosing = true
    this.cancelRestart()
    const worker = this.worker
    if (!worker) return
    let timer: Timer | undefined
    await new Promise<void>((resolve) => {
      this.closed = resolve
      timer = setTimeout(resolve, closeMsMax)
      this.send({ close: true })
    })
    clearTimeout(timer)
    worker.terminate()
    this.worker = null
  }

  private send(request: CommitRequest): void {
    this.running().postMessage(encodeRequest(request))
  }

  private running(): Worker {
    this.cancelRestart()
    this.worker ??= this.start()
    return this.worker
  }

  private restartLater(): void {
    if (this.isClosing) return
    this.cancelRestart()
    this.restart = setTimeout(() => this.running(), restartPauseMs)
  }

  private cancelRestart(): void {
    if (this.restart !== null) clearTimeout(this.restart)
    this.restart = null
  }

  private start(): Worker {
    const worker = new Worker(this.workerFile, { smol: true })
    worker.postMessage(encodeRequest({ open: this.databaseFile }))
    worker.onmessage = (message: MessageEvent<CommitReply>) => {
      // A reply of a worker that was given up would be taken for its successor's.
      if (this.worker === worker) this.receive(message.data)
    }
    worker.onerror = (event) => this.fail(worker, event.message)
    worker.addEventListener('close', () => this.fail(worker, 'the writing thread ended'))
    return worker
  }

  private receive(reply: CommitReply): void {
    if (typeof reply === 'number') {
      for (const pending of this.pending.splice(0, reply)) pending.resolve(plainlyCommitted)
    } else if ('committed' in reply) {
      for (const committed of reply.committed) this.pending.shift()?.resolve(committed)
    } else if ('failed' in reply) {
      for (const pending of this.pending.splice(0, reply.batches)) pending.reject(new Error(reply.failed))
    } else if ('closed' in reply) {
      this.closed?.()
    } else {
      this.onNotice(reply)
    }
  }

  private fail(worker: Worker, reason: string): void {
    if (this.worker !== worker) return
    this.worker = null
    worker.terminate()
    for (const pending of this.pending.splice(0)) pending.reject(new Error(reason))
    this.closed?.()
    this.restartLater()
  }
}
