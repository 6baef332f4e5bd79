import { type CommitNotices, WriterGone, type WriterNotice } from '../../ledger/writer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { clockDoubt, waitText } from '../../operations/retention/retention-words.ts'
import type { ProcessingNotice } from '../../processing/processing.ts'
import type { RetentionNotice } from '../../processing/retention.ts'

/** Completes "the one that", in what `doctor` says of threads that hang. */
const purpose = 'stores records'

/** Logs when records cannot be stored, failures of the writing thread, and the end of either. */
export class StoringNotices implements CommitNotices {
  private readonly disk: Trouble
  private readonly thread: Trouble
  private readonly onProcessing: ReturnType<typeof processingNotices>

  constructor(
    private readonly log: Log,
    clock: Clock,
    /** See `RunningService`. */
    private readonly stalled: Set<string>,
  ) {
    this.disk = new Trouble({
      begins: 'Records cannot be stored: captures get 503 meanwhile.',
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
    else if ('threadHangs' in notice) this.stall()
    else if ('threadEnded' in notice) {
      this.thread.failed(notice.threadEnded)
      this.worked()
    } else if ('threadAnswers' in notice) this.worked()
    else this.onProcessing(notice)
  }

  /** The folder is closed: another process, or none, writes to it. */
  close(): void {
    this.stalled.delete(purpose)
  }

  /** To be called once a second. */
  look(): void {
    this.disk.look()
    this.thread.look()
  }

  private stall(): void {
    this.stalled.add(purpose)
    this.log.error(
      'The writing thread hangs, and replacing it does not help: captures get 503 until it goes on. Look for a disk or a network share that does not answer; if there is none, restart the service.',
    )
  }

  private worked(): void {
    this.stalled.delete(purpose)
    this.thread.worked()
  }
}

const setAsideMs = 60_000
/** A persistent failure is retried every second. */
const sameReasonMs = 60 * 60_000
/** Limits the remembered reasons. Beyond it they are logged again. */
const reasonsMax = 100

/** Says of each reason whether it is due: at once, then hourly. */
class HourlyReasons {
  private readonly dueAtMs = new Map<string, number>()

  isDue(reason: string, nowMs: number): boolean {
    if (nowMs < (this.dueAtMs.get(reason) ?? nowMs)) return false
    if (this.dueAtMs.size >= reasonsMax) this.dueAtMs.clear()
    this.dueAtMs.set(reason, nowMs + sameReasonMs)
    return true
  }

  clear(): void {
    this.dueAtMs.clear()
  }
}

type NoticeLog = Pick<Log, 'error' | 'warn' | 'info'>

/**
 * Logs problems in processing, which no answer shows: each reason of a failure at once and then hourly, and records set aside at
 * most once a minute, with their number.
 */
export function processingNotices(log: NoticeLog, clock: Clock): (notice: ProcessingNotice) => void {
  const failed = failureLog(log, clock)
  const setAside = setAsideLog(log, clock)
  const retention = retentionNotices(log)
  return (notice) => {
    if ('retention' in notice) retention(notice.retention)
    else if ('setAside' in notice) setAside(notice.setAside)
    else failed(notice.processingFailed)
  }
}

function failureLog(log: NoticeLog, clock: Clock): (reason: string) => void {
  const reasons = new HourlyReasons()
  return (reason) => {
    if (!reasons.isDue(reason, clock.monotonicMs())) return
    log.error(
      'Records are stored, but processing them fails and is retried: persons and figures are not updated. Run `capture doctor`.',
      { reason },
    )
  }
}

function setAsideLog(log: NoticeLog, clock: Clock): (reason: string) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY
  let records = 0
  return (reason) => {
    records++
    const nowMs = clock.monotonicMs()
    if (nowMs - loggedAtMs < setAsideMs) return
    loggedAtMs = nowMs
    log.warn(
      'Records could not be processed: they are kept and, if readable, exported, but belong to no figure and no person. Run `capture doctor`.',
      { records, reason },
    )
    records = 0
  }
}

/** Logs deletions, one line per pass, and each reason to wait once. */
function retentionNotices(log: Pick<Log, 'info' | 'warn'>): (notice: RetentionNotice) => void {
  return (notice) => {
    if ('deleted' in notice) {
      log.info('Retention deleted expired records.', { ...notice.deleted })
    } else if ('waits' in notice) {
      const { account, class: name, due, kept } = notice.waits
      const { found, advice } = waitText(account, account, notice.waits)
      log.warn(`${found} ${advice}`, { account, class: name, due, kept })
    } else if ('clockDoubted' in notice) {
      const { found, advice } = clockDoubt(notice.clockDoubted)
      log.warn(`${found} ${advice}`)
    } else {
      log.info('The clock is plausible again: retention continues.')
    }
  }
}

/** An intermittent fault is not over between two failures. */
const calmMs = 10_000

interface TroubleOptions {
  begins: string
  ends: string
  log: Pick<Log, 'error' | 'info'>
  clock: Clock
}

/**
 * Logs an intermittent fault: at once when it begins or its reason changes, hourly while it lasts, and once when it has been over for
 * 10 s.
 */
export class Trouble {
  private readonly reasons = new HourlyReasons()
  private sinceMs: number | null = null
  private lastMs = 0
  /** The first success after the last failure; `null`: none. */
  private overMs: number | null = null

  constructor(private readonly options: TroubleOptions) {}

  /** Records a failure. The reason is logged, so it must contain no personal data or secret. */
  failed(reason: string): void {
    const nowMs = this.options.clock.monotonicMs()
    this.sinceMs ??= nowMs
    this.lastMs = nowMs
    this.overMs = null
    if (this.reasons.isDue(reason, nowMs)) this.options.log.error(this.options.begins, { reason })
  }

  worked(): void {
    this.overMs ??= this.options.clock.monotonicMs()
  }

  /** Call it regularly to detect the end of the fault. */
  look(): void {
    if (this.sinceMs === null || this.overMs === null) return
    const nowMs = this.options.clock.monotonicMs()
    if (nowMs - this.lastMs < calmMs) return
    this.options.log.info(this.options.ends, { lastedSeconds: Math.ceil((this.overMs - this.sinceMs) / 1000) })
    this.sinceMs = null
    this.reasons.clear()
  }
}
