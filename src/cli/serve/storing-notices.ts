import { type CommitNotices, WriterGone, type WriterNotice } from '../../ledger/writer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { ProcessingNotice } from '../../processing/processing-notice.ts'
import { processingNotices } from './processing-notices.ts'
import { Trouble } from './trouble.ts'

/** Says in the log when nothing can be stored, what the writing thread is up to, and when either is well again. */
export class StoringNotices implements CommitNotices {
  private readonly disk: Trouble
  private readonly thread: Trouble
  private readonly onProcessing: ReturnType<typeof processingNotices>

  constructor(log: Log, clock: Clock) {
    this.disk = new Trouble({
      begins: 'What was captured cannot be stored: it is answered with 503 until the disk takes it again.',
      ends: 'What is captured is stored again.',
      log,
      clock,
    })
    this.thread = new Trouble({
      begins:
        'The writing thread fails: it is started again, and what is captured meanwhile is answered with 503. If this goes on, run capture doctor and look at the disk.',
      ends: 'The writing thread works again.',
      log,
      clock,
    })
    this.onProcessing = processingNotices(log, clock)
  }

  onFailure(error: unknown): void {
    // What becomes of the thread is told by `onThreadNotice`, with captures or without.
    if (error instanceof WriterGone) return
    this.disk.failed(error instanceof Error ? error.message : String(error))
  }

  onRecovery(): void {
    this.disk.worked()
  }

  onThreadNotice(notice: WriterNotice | ProcessingNotice): void {
    if ('threadSilent' in notice) this.thread.failed('it does not answer')
    else if ('threadEnded' in notice) {
      this.thread.failed(notice.threadEnded)
      this.thread.worked()
    } else if ('threadAnswers' in notice) this.thread.worked()
    else this.onProcessing(notice)
  }

  /** To be called once a second. */
  look(): void {
    this.disk.look()
    this.thread.look()
  }
}
