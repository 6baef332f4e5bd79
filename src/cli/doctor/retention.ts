import type { Clock } from '../../lib/clock.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { clockDoubt, trustClockCall, waitText } from '../../operations/retention/retention-words.ts'
import type { Connection } from '../../storage/sqlite/connection.ts'
import { SqliteRetentionKeeper } from '../../storage/sqlite/forgetting/retention-keeper.ts'
import { recordsReceivedAfter } from '../../storage/sqlite/future-records.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Clocks of two processes, or of one before and after a time server's correction, differ by no more. */
const aheadMsMax = 5 * 60_000
const accountsShown = 10

/** Whether the clock can be believed, and what retention waits for. */
export async function examineRetention(reader: Connection, { now }: Clock): Promise<Finding[]> {
  const keeper = new SqliteRetentionKeeper(reader, now)
  const waits = (await keeper.accounts()).flatMap(({ handle, wait }) =>
    wait === null || wait.isAllowed ? [] : [waitText(handle, wait)],
  )
  const shown = waits.slice(0, accountsShown).map(({ found, advice }) => warning('retention', found, advice))
  const more = waits.length - shown.length
  const clock = keeper.clock()
  const none = clock.isBelieved ? [ok('retention', 'No deletion waits for your word.')] : []
  return [
    clockFinding(clock),
    ...futureFindings(reader, now()),
    ...(waits.length === 0 ? none : shown),
    ...(more > 0 ? [warning('retention', `So do ${plural(more, 'more account')}.`, 'capture retention list')] : []),
  ]
}

function clockFinding(clock: ReturnType<SqliteRetentionKeeper['clock']>): Finding {
  if (clock.isBelieved) return ok('clock', `It says ${timestamp(clock.now)}, which follows from when it was last seen.`)
  const { found, advice } = clockDoubt(clock)
  return warning('clock', found, advice)
}

/** They were stored while the clock was ahead, or it is behind now. */
function futureFindings(reader: Connection, now: number): Finding[] {
  const { count, latestAt } = recordsReceivedAfter(reader, now + aheadMsMax)
  if (latestAt === null) return []
  return [
    warning(
      'clock',
      `${plural(count, 'record')} ${count === 1 ? 'has' : 'have'} a time of receipt in the future, the latest ${timestamp(latestAt)}.`,
      `If the clock is behind, set it. If it is right, it was ahead when they came: they are kept, stand in reports on the days they name, and retention takes them by those. Should retention wait then: ${trustClockCall}.`,
    ),
  ]
}
