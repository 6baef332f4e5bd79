import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { clockDoubt, waitText } from '../../operations/retention/retention-words.ts'
import type { ProcessingNotice } from '../../processing/processing.ts'
import type { RetentionNotice } from '../../processing/retention.ts'

/** A persistent failure is retried every second. */
const sameFailureMs = 60 * 60_000
const setAsideMs = 60_000
/** Limits the remembered reasons, which are places in the source code. */
const reasonsMax = 100

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
  const loggedAtMs = new Map<string, number>()
  return (reason) => {
    const nowMs = clock.monotonicMs()
    if (nowMs - (loggedAtMs.get(reason) ?? Number.NEGATIVE_INFINITY) < sameFailureMs) return
    if (loggedAtMs.size >= reasonsMax) loggedAtMs.clear()
    loggedAtMs.set(reason, nowMs)
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
      const { found, advice } = waitText(account, notice.waits)
      log.warn(`${found} ${advice}`, { account, class: name, due, kept })
    } else if ('clockDoubted' in notice) {
      const { found, advice } = clockDoubt(notice.clockDoubted)
      log.warn(`${found} ${advice}`)
    } else {
      log.info('The clock is plausible again: retention continues.')
    }
  }
}
