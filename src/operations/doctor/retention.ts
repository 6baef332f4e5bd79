import type { Clock } from '../../lib/clock.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { clockDoubt, trustClockCall, waitText } from '../retention/retention-words.ts'
import { type CheckResult, ok, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** Clocks of two processes, or of one before and after a time server's correction, differ by no more. */
const aheadMsMax = 5 * 60_000
const accountsShown = 10

/** Whether the clock can be believed, and what retention waits for. */
export async function examineRetention(
  database: Pick<DatabaseInspector, 'retention' | 'recordsReceivedAfter'>,
  { now }: Clock,
): Promise<CheckResult[]> {
  const keeper = database.retention
  const waits = (await keeper.accounts()).flatMap(({ handle, wait }) =>
    wait === null || wait.isAllowed ? [] : [waitText(handle, wait)],
  )
  const shown = waits.slice(0, accountsShown).map(({ found, advice }) => warning('retention', found, advice))
  const more = waits.length - shown.length
  const clock = keeper.clock()
  const none = clock.isBelieved ? [ok('retention', 'No deletion waits for your word.')] : []
  return [
    clockCheck(clock),
    ...futureChecks(database, now()),
    ...(waits.length === 0 ? none : shown),
    ...(more > 0 ? [warning('retention', `So do ${plural(more, 'more account')}.`, 'capture retention list')] : []),
  ]
}

function clockCheck(clock: ReturnType<DatabaseInspector['retention']['clock']>): CheckResult {
  if (clock.isBelieved) return ok('clock', `It says ${timestamp(clock.now)}, which follows from when it was last seen.`)
  const { found, advice } = clockDoubt(clock)
  return warning('clock', found, advice)
}

/** They were stored while the clock was ahead, or it is behind now. */
function futureChecks(database: Pick<DatabaseInspector, 'recordsReceivedAfter'>, now: number): CheckResult[] {
  const { count, latestAt } = database.recordsReceivedAfter(now + aheadMsMax)
  if (latestAt === null) return []
  return [
    warning(
      'clock',
      `${plural(count, 'record')} ${count === 1 ? 'has' : 'have'} a time of receipt in the future, the latest ${timestamp(latestAt)}.`,
      `If the clock is behind, set it. If it is right, it was ahead when they came: they are kept, stand in reports on the days they name, and retention takes them by those. Should retention wait then: ${trustClockCall}.`,
    ),
  ]
}
