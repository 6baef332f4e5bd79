import { and, desc, eq, gte, sum } from 'drizzle-orm'
import type { RefusingEndpoint } from '../../capture/refusal-log.ts'
import type { Connection } from './connection.ts'
import { account, refusalCount } from './schema.ts'

const msPerHour = 60 * 60 * 1000
/** The worst are enough to act on. */
const shownMax = 20

/** What could not be stored since the instant (epoch milliseconds, widened to its hour), most first. */
export function lostRecords(
  { db }: Connection,
  since: number,
): { handle: string; endpoint: RefusingEndpoint; count: number }[] {
  const total = sum(refusalCount.count).mapWith(Number)
  return db
    .select({ handle: account.handle, endpoint: refusalCount.endpoint, count: total })
    .from(refusalCount)
    .innerJoin(account, eq(account.row, refusalCount.accountRow))
    .where(and(eq(refusalCount.check, 'storage'), gte(refusalCount.hour, Math.floor(since / msPerHour))))
    .groupBy(account.handle, refusalCount.endpoint)
    .orderBy(desc(total))
    .limit(shownMax)
    .all()
    .map(({ handle, endpoint, count }) => ({ handle, endpoint: endpoint as RefusingEndpoint, count }))
}
