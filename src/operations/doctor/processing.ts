import type { Clock } from '../../lib/clock.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { type CheckResult, ok, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** A record that has waited so long is behind more than the load of a moment. */
const waitingMsMax = 15 * 60 * 1000

/** What waits to be processed, and what could not be. */
export function examineProcessing(database: Pick<DatabaseInspector, 'backlog'>, clock: Clock): CheckResult[] {
  const { waiting, oldestReceivedAt, setAside } = database.backlog()
  const backlog = describeBacklog(waiting, oldestReceivedAt, clock.now())
  if (setAside.latest === null) return [backlog]
  const { reason, at } = setAside.latest
  const setAsideCheck = warning(
    'processing',
    `${plural(setAside.count, 'record')} could not be processed; the latest on ${timestamp(at)}: ${reason}.`,
    'They are kept, but stand in no figure and with no person; an export has those that can be read, and names the others. `serve` tries them again when it starts. If an update does not help, report the reason to the makers of capture: it holds nothing of what was sent.',
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
    '`serve` processes them beside the captures, and every report and export before it reads: run one of these and look again. If no fewer wait then, see what is said of the disk.',
  )
}
