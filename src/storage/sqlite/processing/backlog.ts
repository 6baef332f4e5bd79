import { asc, count, desc, gt, max } from 'drizzle-orm'
import type { ProcessingReport } from '../../../processing/processing.ts'
import type { Connection } from '../connection.ts'
import { ledger } from '../schema.ts'
import { processing, setAside } from './schema.ts'
import { countWaitingReleases } from './waiting-releases.ts'

/** What waits to be processed and what was set aside; works on a connection that only reads. */
export function readBacklog({ db }: Connection): ProcessingReport {
  const { waiting, cursor } = readWaiting({ db })
  const oldest = db
    .select({ receivedAt: ledger.receivedAt })
    .from(ledger)
    .where(gt(ledger.sequence, cursor))
    .orderBy(asc(ledger.sequence))
    .limit(1)
    .get()
  const latest = db
    .select({ reason: setAside.reason, at: setAside.at })
    .from(setAside)
    .orderBy(desc(setAside.sequence))
    .limit(1)
    .get()
  const counted = db.select({ count: count() }).from(setAside).get()
  return {
    waiting,
    oldestReceivedAt: oldest?.receivedAt ?? null,
    setAside: { count: counted?.count ?? 0, latest: latest ?? null },
  }
}

/**
 * How many entries and releases wait. Entries by their numbers, so that those deleted since count too, and a million is
 * not counted out.
 */
export function readWaiting({ db }: Pick<Connection, 'db'>): { waiting: number; cursor: number } {
  const cursor = db.select({ cursor: processing.cursor }).from(processing).get()?.cursor ?? 0
  const newest = db
    .select({ sequence: max(ledger.sequence) })
    .from(ledger)
    .get()
  const entries = Math.max(0, (newest?.sequence ?? 0) - cursor)
  return { waiting: entries + countWaitingReleases({ db }), cursor }
}
