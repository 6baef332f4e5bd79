import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { RetentionPass } from '../../../processing/retention.ts'
import type { RetentionWait } from '../../../processing/retention-notice.ts'
import { account } from '../account/account-schema.ts'
import type { Connection } from '../database/connection.ts'
import { retentionState } from './retention-schema.ts'

type State = typeof retentionState.$inferSelect

/** How far retention has come with each account, and what an operator decided about it. */
export class RetentionStates {
  constructor(private readonly connection: Connection) {}

  /** `null`: never examined. */
  of(accountRow: number): State | null {
    return (
      this.connection.db.select().from(retentionState).where(eq(retentionState.accountRow, accountRow)).get() ?? null
    )
  }

  /** Whether a pass that waited may continue. */
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

  passed(accountRow: number, { at, terms }: RetentionPass): void {
    const set = { passedAt: at, passedTerms: terms, wait: null, waitsSince: null, isAllowed: false }
    this.connection.db
      .insert(retentionState)
      .values({ accountRow, ...set })
      .onConflictDoUpdate({ target: retentionState.accountRow, set })
      .run()
  }

  /** Creates the state of a finished pass where there was none. */
  begin(accountRow: number, { at, terms }: RetentionPass): void {
    const set = { passedAt: at, passedTerms: terms }
    this.connection.db
      .insert(retentionState)
      .values({ accountRow, ...set })
      .onConflictDoUpdate({ target: retentionState.accountRow, set, setWhere: isNull(retentionState.passedAt) })
      .run()
  }

  waits(accountRow: number, wait: RetentionWait, now: number): void {
    this.connection.raw
      .query<null, [number, string, number]>(
        `INSERT INTO retention_state (account_row, wait, waits_since) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET wait = excluded.wait, waits_since = coalesce(waits_since, excluded.waits_since)`,
      )
      .run(accountRow, JSON.stringify(wait), now)
  }

  /** Returns what waited; `null`: nothing. */
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
}
