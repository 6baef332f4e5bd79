import type { Clock } from '../../lib/clock.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { clockDoubt, trustClockCall, waitText } from '../retention/retention-words.ts'
import { type CheckResult, firstResults, ok, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** Tolerates differences between processes and corrections by a time server. */
const aheadMsMax = 5 * 60_000
const accountsShown = 10

/** Checks whether the clock is plausible, and lists deletions that wait for consent. */
export async function examineRetention(
  database: Pick<DatabaseInspector, 'retention' | 'recordsReceivedAfter'>,
  { now }: Clock,
): Promise<CheckResult[]> {
  const keeper = database.retention
  const waits = (await keeper.accounts()).flatMap(({ handle, wait }) => {
    if (wait === null || wait.isAllowed) return []
    const { found, advice } = waitText(handle, wait)
    return [warning('retention', found, advice)]
  })
  const clock = keeper.clock()
  const none = clock.isBelieved ? [ok('retention', 'No deletion waits for your consent.')] : []
  return [
    clockCheck(clock),
    ...futureChecks(database, now()),
    ...(waits.length === 0 ? none : firstResults(waits, accountsShown, moreWaits)),
  ]
}

const moreWaits = (more: number): CheckResult =>
  warning('retention', `The same applies to ${plural(more, 'more account')}.`, 'capture retention list')

function clockCheck(clock: ReturnType<DatabaseInspector['retention']['clock']>): CheckResult {
  if (clock.isBelieved)
    return ok('clock', `It says ${timestamp(clock.now)}, which agrees with when this box last saw it.`)
  const { found, advice } = clockDoubt(clock)
  return warning('clock', found, advice)
}

/** Records with a future receipt: the clock was ahead when they came, or is behind now. */
function futureChecks(database: Pick<DatabaseInspector, 'recordsReceivedAfter'>, now: number): CheckResult[] {
  const { count, latestAt } = database.recordsReceivedAfter(now + aheadMsMax)
  if (latestAt === null) return []
  return [
    warning(
      'clock',
      `${plural(count, 'record')} ${count === 1 ? 'has' : 'have'} a time of receipt in the future, the latest ${timestamp(latestAt)}.`,
      `If the clock is behind, set it. If it is right, it was ahead when these records came: they keep that time in reports, and retention deletes them by it. If retention waits because of them: ${trustClockCall}.`,
    ),
  ]
}
