import { and, eq, gt, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { RetentionSettings } from '../../../account/account.ts'
import type { Clock } from '../../../lib/clock.ts'
import {
  type AccountRetention,
  noRecords,
  type RetentionKeeper,
  type RetentionOutlook,
  type RetentionPass,
  type RetentionWait,
  retentionCutoffs,
} from '../../../processing/retention.ts'
import type { Connection } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { knownAccountRow } from '../lookup/account-row.ts'
import { account } from '../schema/account-schema.ts'
import { retentionState } from '../schema/forgetting-schema.ts'
import { ClockWatch } from './clock-watch.ts'
import { expiredRecords, firstOfEachClass } from './expired-records.ts'

const isOf = (accountRow: number | typeof account.row) => eq(retentionState.accountRow, accountRow)

/** An account's name and terms; `null`: it was removed. */
export function retainedAccount({ db }: Connection, accountRow: number) {
  const isPresent = and(eq(account.row, accountRow), isNull(account.removedAt))
  const found = db.select({ handle: account.handle, settings: account.settings }).from(account).where(isPresent).get()
  return found === undefined ? null : { handle: found.handle, terms: found.settings.retention }
}

/** How far retention has come with an account, and whether the operator allows its pass. */
export function passState({ db }: Connection, accountRow: number): { pass: RetentionPass | null; isAllowed: boolean } {
  const found = db.select().from(retentionState).where(isOf(accountRow)).get()
  const { passedAt: at = null, passedTerms: terms = null, isAllowed = false } = found ?? {}
  return { pass: at === null || terms === null ? null : { at, terms }, isAllowed }
}

/** Whether any pass that waited may continue. */
export const isAnyAllowed = ({ db }: Connection): boolean =>
  db
    .select({ row: account.row })
    .from(retentionState)
    .innerJoin(account, eq(account.row, retentionState.accountRow))
    .where(and(eq(retentionState.isAllowed, true), isNull(account.removedAt)))
    .limit(1)
    .get() !== undefined

/** The pass has ended. */
export const keepPass = (connection: Connection, accountRow: number, pass: RetentionPass): void =>
  writePass(connection, accountRow, { pass, decided: { wait: null, waitsSince: null, isAllowed: false } })

/** The pass waits, since `now` (epoch milliseconds) unless it has waited before. */
export function keepWait({ raw }: Connection, accountRow: number, wait: RetentionWait, now: number): void {
  raw
    .query<null, [number, string, number]>(
      `INSERT INTO retention_state (account_row, wait, waits_since) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET wait = excluded.wait, waits_since = coalesce(waits_since, excluded.waits_since)`,
    )
    .run(accountRow, JSON.stringify(wait), now)
}

interface WrittenPass {
  pass: RetentionPass
  decided?: Partial<typeof retentionState.$inferInsert>
  setWhere?: SQL
}

function writePass({ db }: Connection, accountRow: number, { pass, decided, setWhere }: WrittenPass): void {
  const set = { passedAt: pass.at, passedTerms: pass.terms, ...decided }
  db.insert(retentionState)
    .values({ accountRow, ...set })
    .onConflictDoUpdate({ target: retentionState.accountRow, set, ...(setWhere && { setWhere }) })
    .run()
}

const dayMs = 86_400_000
/** Pages of expired records that are read before others get their turn. */
const pagesPerBreath = 20

export class SqliteRetentionKeeper implements RetentionKeeper {
  private readonly watch: ClockWatch

  /** @param connection read-only will do for everything except `allow` and `trustClock` */
  constructor(
    private readonly connection: Connection,
    private readonly clockNow: Clock['now'],
  ) {
    this.watch = new ClockWatch(connection)
  }

  clock() {
    const now = this.clockNow()
    return { ...this.watch.look(now), now }
  }

  async accounts(): Promise<AccountRetention[]> {
    return this.connection.db
      .select({ handle: account.handle, settings: account.settings, state: retentionState })
      .from(account)
      .leftJoin(retentionState, isOf(account.row))
      .where(and(isNull(account.removedAt), gt(account.siteRevision, 0)))
      .orderBy(account.handle)
      .all()
      .map(({ handle, settings, state }) => ({
        handle,
        terms: settings.retention,
        passedAt: state?.passedAt ?? null,
        wait: state?.wait ? { ...state.wait, since: state.waitsSince ?? 0, isAllowed: state.isAllowed } : null,
      }))
  }

  async outlook(accountId: string, terms: RetentionSettings): Promise<RetentionOutlook> {
    const accountRow = knownAccountRow(this.connection, accountId)
    const now = this.clockNow()
    const due = noRecords()
    const query = { accountRow, now, cutoffs: retentionCutoffs(terms, now), lookedThrough: new Map() }
    let pages = 0
    for (const found of expiredRecords(this.connection, query)) {
      for (const expired of found) due[expired.class]++
      if (++pages % pagesPerBreath === 0) await breath()
    }
    const first = firstOfEachClass(this.connection, accountRow)
    const endOf = (at: number | null, days: number | null) => (at === null || days === null ? null : at + days * dayMs)
    return {
      due,
      nextDueAt: {
        submissions: endOf(first.submissions, terms.submissionsDays),
        events: endOf(first.events, terms.eventsDays),
        refused: endOf(first.refused, terms.refusedDays),
      },
    }
  }

  /** Unless a pass has ended before. */
  async announce(accountId: string, terms: RetentionSettings): Promise<void> {
    const pass = { at: this.clockNow(), terms }
    const accountRow = knownAccountRow(this.connection, accountId)
    writePass(this.connection, accountRow, { pass, setWhere: isNull(retentionState.passedAt) })
  }

  async allow(accountId: string): Promise<RetentionWait | null> {
    const [allowed] = this.connection.db
      .update(retentionState)
      .set({ isAllowed: true })
      .where(and(isOf(knownAccountRow(this.connection, accountId)), isNotNull(retentionState.wait)))
      .returning({ wait: retentionState.wait })
      .all()
    return allowed?.wait ?? null
  }

  async trustClock(): Promise<void> {
    this.watch.trust(this.clockNow())
  }
}
