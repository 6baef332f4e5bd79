import type { Clock } from '../../lib/clock.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { type CheckResult, ok, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** A longer wait is not explained by a momentary load. */
const waitingMsMax = 15 * 60 * 1000

/** Checks for records that wait for processing or could not be processed. */
export function examineProcessing(database: Pick<DatabaseInspector, 'backlog'>, clock: Clock): CheckResult[] {
  const { waiting, oldestReceivedAt, setAside } = database.backlog()
  const backlog = describeBacklog(waiting, oldestReceivedAt, clock.now())
  if (setAside.latest === null) return [backlog]
  const { reason, at, entry, tookTooLong } = setAside.latest
  const named = entry === null ? '' : `, ${entry.id} of the account "${entry.account}"`
  const setAsideCheck = warning(
    'processing',
    `${plural(setAside.count, 'record')} could not be processed; the latest on ${timestamp(at)}${named}: ${reason}.`,
    `They are kept, but belong to no figure and no person. An export has the readable ones and names the others. ${tookTooLong ? 'What took too long is tried once more after an upgrade, the rest when `serve` starts.' : '`serve` tries them again when it starts.'} If an update does not help, report the reason to the makers of capture: it contains no captured data.`,
  )
  return [backlog, setAsideCheck]
}

function describeBacklog(waiting: number, oldestReceivedAt: number | null, now: number): CheckResult {
  if (oldestReceivedAt === null) return ok('processing', 'Everything captured has been processed.')
  const found = `${plural(waiting, 'record')} ${waiting === 1 ? 'waits' : 'wait'} to be processed`
  if (now - oldestReceivedAt <= waitingMsMax) return ok('processing', `${found}.`)
  return warning(
    'processing',
    `${found}, the first of them received on ${timestamp(oldestReceivedAt)}.`,
    '`serve`, and every report and export, processes waiting records: run one of these and check again. If the number does not fall, see the results for the disk.',
  )
}
