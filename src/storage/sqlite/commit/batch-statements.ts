import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { account, box } from '../account/account-schema.ts'
import { refusalCount, spentChallenge } from '../capture/capture-schema.ts'
import type { Connection } from '../database/connection.ts'

/** Old counts of refusals that one batch forgets of an account; a batch comes every second. */
const forgottenPerBatch = 500

export type BatchStatements = ReturnType<typeof prepareStatements>

type EntryValues = [
  accountRow: number,
  kind: number,
  id: string,
  receivedAt: number,
  record: string,
  checksum: number | null,
]

/** The statements of `BatchTransaction`. */
export function prepareStatements({ db, raw }: Connection) {
  const value = sql.placeholder
  return {
    makeBox: db.insert(box).values({ id: 1, revision: 0 }).onConflictDoNothing().prepare(),
    raiseRevision: db
      .update(box)
      .set({ revision: sql`${box.revision} + ${value('by')}` })
      .prepare(),
    findAccount: db
      .select({ row: account.row, removedAt: account.removedAt })
      .from(account)
      .where(eq(account.id, value('accountId')))
      .prepare(),
    // Plain SQL: this one runs for every entry, and Drizzle would add a quarter to what SQLite itself takes.
    insertEntry: raw.prepare<unknown, EntryValues>(
      'INSERT INTO ledger (account_row, kind, id, received_at, record, checksum) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    addRefusals: db
      .insert(refusalCount)
      .values({
        accountRow: value('accountRow'),
        hour: value('hour'),
        endpoint: value('endpoint'),
        check: value('check'),
        origin: value('origin'),
        count: value('count'),
      })
      .onConflictDoUpdate({
        target: [
          refusalCount.accountRow,
          refusalCount.hour,
          refusalCount.endpoint,
          refusalCount.check,
          refusalCount.origin,
        ],
        set: { count: sql`${refusalCount.count} + excluded.count` },
      })
      .prepare(),
    forgetRefusals: db
      .delete(refusalCount)
      .where(
        inArray(
          sql`rowid`,
          db
            .select({ row: sql`rowid` })
            .from(refusalCount)
            .where(and(eq(refusalCount.accountRow, value('accountRow')), lt(refusalCount.hour, value('before'))))
            .limit(forgottenPerBatch),
        ),
      )
      .prepare(),
    forgetExpired: db
      .delete(spentChallenge)
      .where(lt(spentChallenge.expiresAt, value('now')))
      .prepare(),
    spendChallenge: db
      .insert(spentChallenge)
      .values({
        accountRow: value('accountRow'),
        challenge: value('challenge'),
        expiresAt: value('expiresAt'),
      })
      .onConflictDoNothing()
      .returning({ challenge: spentChallenge.challenge })
      .prepare(),
  }
}
