import { eq } from 'drizzle-orm'
import { believe, type ClockBelief, type ClockReading } from '../../../processing/clock-belief.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { unlessDamaged } from '../salvage/damage.ts'
import { latestReadableReceipt } from '../salvage/ledger-row.ts'
import { readClock } from './boot.ts'
import { clockSeen, retentionState } from './retention-schema.ts'

/** Records whose receipts show, on a box without a stored reading, how late it was when it last ran. */
const recordsRead = 1000

interface Trace {
  at: number | null
}

/** The clock, judged by the last believed reading. Reads on any connection; only `keep` and `trust` write. */
export class ClockWatch {
  constructor(private readonly connection: Connection) {}

  /** @param now the clock's time, epoch milliseconds */
  look(now: number): ClockBelief {
    return beliefIn(this.last(), now)
  }

  /**
   * Stores a believed reading; for one that is not believed, the time according to the uptime, if known. The evidence
   * against a clock that is ahead is kept too: it may be the only one, and the next records carry that clock's time.
   */
  keep(now: number): ClockBelief {
    // Read beforehand: a transaction that has met a damaged page is never committed.
    const before = this.last()
    const keep = () => {
      const last = this.seen() ?? before
      const belief = beliefIn(last, now)
      if (belief.isBelieved) this.save(readClock(now))
      else if (belief.isExact) this.save({ ...readClock(now), at: belief.expectedAt })
      else if (last !== null && now > last.at) this.save(last)
      return belief
    }
    // In one transaction: between reading and writing, the operator may accept the clock.
    return writeTransaction(this.connection, keep)
  }

  /** The operator accepted the clock: what it makes due is examined as if there had been no pass before. */
  trust(now: number): void {
    writeTransaction(this.connection, () => {
      this.save(readClock(now))
      this.connection.db.update(retentionState).set({ passedAt: null, passedTerms: null }).run()
    })
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

  /** The latest time that the box itself has stored; `null`: nothing yet. */
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
