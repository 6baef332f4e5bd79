import { and, asc, count, desc, eq, gt, ne } from 'drizzle-orm'
import type { ProcessingReport, SetAside } from '../../../processing/processing.ts'
import type { Connection } from '../database/connection.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import { countStale } from '../refolding/stale-marks.ts'
import { unlessDamaged } from '../salvage/damage.ts'
import { newestNumber } from '../salvage/ledger-numbers.ts'
import { account } from '../schema/account-schema.ts'
import { ledger } from '../schema/ledger-schema.ts'
import { processing, setAside } from '../schema/processing-schema.ts'

/** What waits to be processed and what was set aside. Works on a read-only connection. */
export function readBacklog(connection: Connection): ProcessingReport {
  const { db } = connection
  const { waiting, cursor } = readWaiting(connection)
  const latest = db.select().from(setAside).orderBy(desc(setAside.sequence)).limit(1).get()
  const counted = db.select({ count: count() }).from(setAside).get()
  return {
    waiting,
    oldestReceivedAt: unlessDamaged(
      () => oldestReceivedAt(connection, cursor),
      () => null,
    ),
    setAside: { count: counted?.count ?? 0, latest: latest === undefined ? null : described(connection, latest) },
  }
}

function described({ db }: Connection, row: typeof setAside.$inferSelect): SetAside {
  const find = () =>
    db
      .select({ account: account.handle, id: ledger.id })
      .from(ledger)
      .innerJoin(account, eq(account.row, ledger.accountRow))
      .where(eq(ledger.sequence, row.sequence))
      .get()
  const entry = unlessDamaged(find, () => undefined) ?? null
  return { reason: row.reason, at: row.at, entry, tookTooLong: row.slowIn !== null }
}

/**
 * How many entries and stale keys wait. The difference of sequence numbers is used instead of a count, so it includes
 * deleted entries.
 */
export function readWaiting(connection: Connection): { waiting: number; cursor: number } {
  const { db } = connection
  const cursor = db.select({ cursor: processing.cursor }).from(processing).get()?.cursor ?? 0
  return { waiting: Math.max(0, newestNumber(connection) - cursor) + countStale(connection), cursor }
}

/** Receipt of the first entry behind the cursor with something to process, epoch milliseconds; `null`: none. */
const oldestReceivedAt = ({ db }: Connection, cursor: number): number | null =>
  db
    .select({ receivedAt: ledger.receivedAt })
    .from(ledger)
    .where(and(gt(ledger.sequence, cursor), ne(ledger.kind, decisionKinds.erasure)))
    .orderBy(asc(ledger.sequence))
    .limit(1)
    .get()?.receivedAt ?? null
