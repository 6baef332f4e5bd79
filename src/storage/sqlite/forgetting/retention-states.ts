import { readFileSync } from 'node:fs'
import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { ClockReading, ClockStore } from '../../../processing/forgetting/clock-watch.ts'
import type { AccountRetentionState } from '../../../processing/forgetting/retention-store.ts'
import type { RetentionPass, RetentionWait } from '../../../processing/retention.ts'
import type { Connection } from '../database/connection.ts'
import { unlessDamaged } from '../database/damage.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { account } from '../schema/account-schema.ts'
import { clockSeen, retentionState } from '../schema/retention-schema.ts'

/** Records whose receipts show, on a box without a stored reading, how late it was when it last ran. */
const recordsRead = 1000

interface Trace {
  at: number | null
}

/** What retention keeps of the clock and of each account, and what an operator decided. */
export class RetentionStates implements ClockStore {
  constructor(protected readonly connection: Connection) {}

  readClock(now: number): ClockReading {
    return readClock(now)
  }

  seenClock(): ClockReading | null {
    return this.connection.db.select().from(clockSeen).where(eq(clockSeen.id, 1)).get() ?? null
  }

  saveClock(reading: ClockReading): void {
    const { at, bootId, uptimeMs } = reading
    const set = { at, bootId, uptimeMs }
    this.connection.db
      .insert(clockSeen)
      .values({ id: 1, ...set })
      .onConflictDoUpdate({ target: clockSeen.id, set })
      .run()
  }

  latestTrace(): number | null {
    const records = this.connection.raw.query<Trace, []>(
      `SELECT max(received_at) AS at FROM (SELECT received_at FROM ledger ORDER BY sequence DESC LIMIT ${recordsRead})`,
    )
    const made = this.connection.raw.query<Trace, []>(
      `SELECT max(at) AS at FROM (
         SELECT max(created_at) AS at FROM account UNION ALL SELECT max(created_at) FROM signing_key)`,
    )
    const received = unlessDamaged(
      () => records.get()?.at ?? null,
      () => null,
    )
    const traces = [received, made.get()?.at ?? null].filter((at) => at !== null)
    return traces.length === 0 ? null : Math.max(...traces)
  }

  exclusively<Result>(work: () => Result): Result {
    return writeTransaction(this.connection, work)
  }

  forgetPasses(): void {
    this.connection.db.update(retentionState).set({ passedAt: null, passedTerms: null }).run()
  }

  state(accountRow: number): AccountRetentionState | null {
    const found = this.connection.db
      .select()
      .from(retentionState)
      .where(eq(retentionState.accountRow, accountRow))
      .get()
    if (found === undefined) return null
    const { passedAt: at, passedTerms: terms, isAllowed } = found
    return { pass: at === null || terms === null ? null : { at, terms }, isAllowed }
  }

  isAnyAllowed(): boolean {
    const found = this.connection.db
      .select({ row: retentionState.accountRow })
      .from(retentionState)
      .innerJoin(account, eq(account.row, retentionState.accountRow))
      .where(and(eq(retentionState.isAllowed, true), isNull(account.removedAt)))
      .limit(1)
      .get()
    return found !== undefined
  }

  passed(accountRow: number, pass: RetentionPass): void {
    this.keepPass(accountRow, pass, { wait: null, waitsSince: null, isAllowed: false })
  }

  /** Creates the state of a finished pass where there was none. */
  begin(accountRow: number, pass: RetentionPass): void {
    this.keepPass(accountRow, pass, {}, isNull(retentionState.passedAt))
  }

  waits(accountRow: number, wait: RetentionWait, now: number): void {
    this.connection.raw
      .query<null, [number, string, number]>(
        `INSERT INTO retention_state (account_row, wait, waits_since) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET wait = excluded.wait, waits_since = coalesce(waits_since, excluded.waits_since)`,
      )
      .run(accountRow, JSON.stringify(wait), now)
  }

  /** Lets the waiting pass continue. Returns what waited; `null`: nothing. */
  allow(accountRow: number): RetentionWait | null {
    const waiting = and(eq(retentionState.accountRow, accountRow), isNotNull(retentionState.wait))
    const [allowed] = this.connection.db
      .update(retentionState)
      .set({ isAllowed: true })
      .where(waiting)
      .returning({ wait: retentionState.wait })
      .all()
    return allowed?.wait ?? null
  }

  private keepPass(
    accountRow: number,
    { at, terms }: RetentionPass,
    decided: Partial<typeof retentionState.$inferInsert>,
    setWhere?: SQL,
  ): void {
    const set = { passedAt: at, passedTerms: terms, ...decided }
    this.connection.db
      .insert(retentionState)
      .values({ accountRow, ...set })
      .onConflictDoUpdate({ target: retentionState.accountRow, set, ...(setWhere && { setWhere }) })
      .run()
  }
}

/** The clock, and on Linux what is known of the machine's present boot. */
export function readClock(now: number): ClockReading {
  try {
    const [seconds = ''] = readFileSync('/proc/uptime', 'utf8').split(' ')
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { at: now, bootId, uptimeMs: Math.round(Number(seconds) * 1000) }
  } catch {
    return { at: now, bootId: null, uptimeMs: null }
  }
}
