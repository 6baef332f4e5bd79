import { eq } from 'drizzle-orm'
import { believe, type ClockBelief, type ClockReading } from '../../../processing/clock-belief.ts'
import type { Connection } from '../database/connection.ts'
import { unlessDamaged } from '../salvage/damage.ts'
import { latestReadableReceipt } from '../salvage/ledger-row.ts'
import { readClock } from './boot.ts'
import { clockSeen, retentionState } from './retention-schema.ts'

/** Records whose receipt tells, on a box that never kept a reading, how late it was when it last ran. */
const recordsRead = 1000

interface Trace {
  at: number | null
}

/** The clock, judged by the last reading that was believed. Reads over any connection; only `keep` and `trust` write. */
export class ClockWatch {
  constructor(private readonly connection: Connection) {}

  /** @param now what the clock says, epoch milliseconds */
  look(now: number): ClockBelief {
    return beliefIn(this.last(), now)
  }

  /**
   * Notes a reading that is believed; of one that is not, how late it is by the uptime, where that is known. What a
   * clock that is ahead was doubted by is kept as well: it may be a trace, and the next records bear that clock's time.
   */
  keep(now: number): ClockBelief {
    // Beforehand: a transaction that has met a damaged page is never committed.
    const before = this.last()
    const keep = () => {
      const last = this.seen() ?? before
      const belief = beliefIn(last, now)
      if (belief.isBelieved) this.save(readClock(now))
      else if (belief.isExact) this.save({ ...readClock(now), at: belief.expectedAt })
      else if (last !== null && now > last.at) this.save(last)
      return belief
    }
    // In one transaction: between reading and writing, the operator may say that the clock is right.
    return this.connection.db.transaction(keep, { behavior: 'immediate' })
  }

  /** By the operator's word: what comes due by it is looked at as if there had been no pass before. */
  trust(now: number): void {
    this.connection.db.transaction(
      () => {
        this.save(readClock(now))
        this.connection.db.update(retentionState).set({ passedAt: null, passedTerms: null }).run()
      },
      { behavior: 'immediate' },
    )
  }

  private save(reading: ClockReading): void {
    this.connection.db
      .insert(clockSeen)
      .values({ id: 1, ...reading })
      .onConflictDoUpdate({ target: clockSeen.id, set: reading })
      .run()
  }

  private last(): ClockReading | null {
    const seen = this.seen()
    if (seen !== undefined) return seen
    const at = this.latestTrace()
    return at === null ? null : { at, bootId: null, uptimeMs: null }
  }

  private seen(): ClockReading | undefined {
    return this.connection.db.select().from(clockSeen).where(eq(clockSeen.id, 1)).get()
  }

  /** The latest instant that the box has kept of its own; `null`: there is nothing yet. */
  private latestTrace(): number | null {
    const records = this.connection.raw.query<Trace, []>(
      `SELECT max(received_at) AS at FROM (SELECT received_at FROM ledger ORDER BY sequence DESC LIMIT ${recordsRead})`,
    )
    const made = this.connection.raw.query<Trace, []>(
      `SELECT max(at) AS at FROM (
         SELECT max(created_at) AS at FROM account UNION ALL SELECT max(created_at) FROM signing_key)`,
    )
    const received = unlessDamaged(
      () => records.get()?.at ?? null,
      () => latestReadableReceipt(this.connection, recordsRead),
    )
    const traces = [received, made.get()?.at ?? null].filter((at) => at !== null)
    return traces.length === 0 ? null : Math.max(...traces)
  }
}

const beliefIn = (last: ClockReading | null, now: number): ClockBelief =>
  last === null ? { isBelieved: true, expectedAt: now, isExact: false } : believe(last, readClock(now))
