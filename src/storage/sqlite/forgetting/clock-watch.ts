import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { believe, type ClockBelief, type ClockReading } from '../../../processing/retention.ts'
import type { Connection } from '../database/connection.ts'
import { unlessDamaged } from '../database/damage.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { clockSeen, retentionState } from '../schema/forgetting-schema.ts'

/** Records whose receipts show, on a box without a stored reading, how late it was when it last ran. */
const recordsRead = 1000

/** The clock, judged by the last believed reading. Only `keep` and `trust` write. Instants are epoch milliseconds. */
export class ClockWatch {
  constructor(private readonly connection: Connection) {}

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
    // Between reading and writing, the operator may accept the clock.
    return writeTransaction(this.connection, () => {
      const last = this.seen() ?? before
      const belief = beliefIn(last, now)
      if (belief.isBelieved) this.save(readClock(now))
      else if (belief.isExact) this.save({ ...readClock(now), at: belief.expectedAt })
      else if (last !== null && now > last.at) this.save(last)
      return belief
    })
  }

  /** The operator accepted the clock: what it makes due is examined as if there had been no pass. */
  trust(now: number): void {
    writeTransaction(this.connection, () => {
      this.save(readClock(now))
      this.connection.db.update(retentionState).set({ passedAt: null, passedTerms: null }).run()
    })
  }

  private last(): ClockReading | null {
    const seen = this.seen()
    if (seen !== null) return seen
    const at = latestTrace(this.connection)
    return at === null ? null : { at, bootId: null, uptimeMs: null }
  }

  /** `null`: no service has run yet. */
  private seen(): ClockReading | null {
    return this.connection.db.select().from(clockSeen).where(eq(clockSeen.id, 1)).get() ?? null
  }

  private save({ at, bootId, uptimeMs }: ClockReading): void {
    const set = { at, bootId, uptimeMs }
    this.connection.db
      .insert(clockSeen)
      .values({ id: 1, ...set })
      .onConflictDoUpdate({ target: clockSeen.id, set })
      .run()
  }
}

function beliefIn(last: ClockReading | null, now: number): ClockBelief {
  if (last === null) return { isBelieved: true, expectedAt: now, isExact: false }
  return believe(last, readClock(now))
}

/** The latest time that the box itself has stored; `null`: nothing yet. */
function latestTrace({ raw }: Connection): number | null {
  const latest = (rows: string) =>
    raw.query<{ at: number | null }, []>(`SELECT max(at) AS at FROM (${rows})`).get()?.at ?? null
  const received = unlessDamaged(
    () => latest(`SELECT received_at AS at FROM ledger ORDER BY sequence DESC LIMIT ${recordsRead}`),
    () => null,
  )
  const made = latest('SELECT created_at AS at FROM account UNION ALL SELECT created_at FROM signing_key')
  return received === null || made === null ? (received ?? made) : Math.max(received, made)
}

/** The clock, and on Linux what is known of the machine's present boot. */
function readClock(now: number): ClockReading {
  try {
    const [seconds = ''] = readFileSync('/proc/uptime', 'utf8').split(' ')
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { at: now, bootId, uptimeMs: Math.round(Number(seconds) * 1000) }
  } catch {
    return { at: now, bootId: null, uptimeMs: null }
  }
}
