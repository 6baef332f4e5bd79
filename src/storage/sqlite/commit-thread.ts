import { systemClock } from '../../lib/clock.ts'
import { BatchTransaction } from './batch-transaction.ts'
import type { CommitReply, CommitRequest } from './worker-messages.ts'

/** The writing thread's side of `WorkerCommitter`: opens the database when first needed, and anew after an I/O error. */
export function commitOnThisThread(port: { postMessage(reply: CommitReply): void }): (request: CommitRequest) => void {
  let databaseFile = ''
  let transaction: BatchTransaction | null = null

  const close = () => {
    transaction?.close()
    transaction = null
  }

  return (request) => {
    if ('open' in request) {
      databaseFile = request.open
      return
    }
    try {
      if ('close' in request) {
        close()
        port.postMessage({ closed: true })
        return
      }
      transaction ??= new BatchTransaction(databaseFile)
      port.postMessage({
        committed: transaction.commit(request.commit, systemClock.now()),
      })
    } catch (error) {
      // A connection that met an I/O error may hold a half-written log; a new one recovers from what is on disk.
      close()
      port.postMessage({
        failed: error instanceof Error ? error.message : String(error),
      })
    }
  }
}
