import { type CommitNotices, WriterGone, type WriterNotice } from '../../ledger/writer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { ProcessingNotice } from '../../processing/processing.ts'
import { processingNotices } from './processing-notices.ts'
import { Trouble } from './trouble.ts'

/** Logs when records cannot be stored, failures of the writing thread, and the end of either. */
export class StoringNotices implements CommitNotices {
  private readonly disk: Trouble
  private readonly thread: Trouble
  private readonly onProcessing: ReturnType<typeof processingNotices>

  constructor(log: Log, clock: Clock) {
    this.disk = new Trouble({
      begins: 'Records cannot be stored: captures get 503 until the disk accepts them again.',
      ends: 'Records are being stored again.',
      log,
      clock,
    })
    this.thread = new Trouble({
      begins:
        'The writing thread failed and is restarted; captures get 503 meanwhile. If this continues, run capture doctor and check the disk.',
      ends: 'The writing thread works again.',
      log,
      clock,
    })
    this.onProcessing = processingNotices(log, clock)
  }

  onFailure(error: unknown): void {
    // `onThreadNotice` reports the thread's state, with or without captures.
    if (error instanceof WriterGone) return
    this.disk.failed(error instanceof Error ? error.message : String(error))
  }

  onRecovery(): void {
    this.disk.worked()
  }

  onThreadNotice(notice: Exclude<WriterNotice, { threadStuck: true }> | ProcessingNotice): void {
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
