import { and, eq, gte, inArray, sum } from 'drizzle-orm'
import type { RefusalCount, RefusingEndpoint } from '../../../capture/refusal-log.ts'
import type { LostRecords } from '../../../operations/doctor/inspection.ts'
import type { Connection } from '../database/connection.ts'
import { account } from '../schema/account-schema.ts'
import { refusalCount } from '../schema/capture-schema.ts'

const msPerHour = 60 * 60 * 1000
/** The worst are enough to act on. */
const shownMax = 20

/**
 * What could not be stored since the instant (epoch milliseconds, widened to its hour), most frequent first.
 *
 * @param held counts that the database has no room for yet
 */
export function lostRecords(connection: Connection, since: number, unwritten: readonly RefusalCount[]): LostRecords[] {
  const sums = new Map<string, LostRecords>()
  for (const lost of [...countedLosses(connection, since), ...unwrittenLosses(connection, since, unwritten)]) {
    const key = `${lost.handle} ${lost.endpoint}`
    sums.set(key, { ...lost, count: lost.count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()].sort((one, other) => other.count - one.count).slice(0, shownMax)
}

function unwrittenLosses({ db }: Connection, since: number, unwritten: readonly RefusalCount[]): LostRecords[] {
  const recent = unwritten.filter(({ hour }) => hour >= Math.floor(since / msPerHour))
  const ids = [...new Set(recent.map(({ accountId }) => accountId))]
  const known = db
    .select({ id: account.id, handle: account.handle })
    .from(account)
    .where(inArray(account.id, ids))
    .all()
  const handles = new Map(known.map(({ id, handle }) => [id, handle]))
  return recent.flatMap(({ accountId, endpoint, count }) => {
    const handle = handles.get(accountId)
    return handle === undefined ? [] : [{ handle, endpoint, count }]
  })
}

function countedLosses({ db }: Connection, since: number): LostRecords[] {
  const total = sum(refusalCount.count).mapWith(Number)
  return db
    .select({ handle: account.handle, endpoint: refusalCount.endpoint, count: total })
    .from(refusalCount)
    .innerJoin(account, eq(account.row, refusalCount.accountRow))
    .where(and(eq(refusalCount.check, 'storage'), gte(refusalCount.hour, Math.floor(since / msPerHour))))
    .groupBy(account.handle, refusalCount.endpoint)
    .all()
    .map(({ handle, endpoint, count }) => ({ handle, endpoint: endpoint as RefusingEndpoint, count }))
}
