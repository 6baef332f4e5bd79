import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { ProcessingNotice } from '../../processing/processing-notice.ts'
import { retentionNotices } from './retention-notices.ts'

/** A failure that goes on is tried every second. */
const sameFailureMs = 60 * 60_000
const setAsideMs = 60_000
/** Reasons remembered: they name places in our sources, of which few fail. */
const reasonsMax = 100

type NoticeLog = Pick<Log, 'error' | 'warn' | 'info'>

/**
 * Logs what goes wrong in processing, which no request is answered with: a failure at once and then once an hour for
 * each reason, records that were set aside at most once a minute, with how many there were since.
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
      'What was captured is stored, but processing it fails, and is tried again: persons and figures stand still. Run `capture doctor`.',
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
      'Records could not be processed: they are kept, and exported where they can be read, but stand in no figure and with no person. Run `capture doctor`.',
      { records, reason },
    )
    records = 0
  }
}
