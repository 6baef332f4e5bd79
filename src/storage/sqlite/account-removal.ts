import { eq, inArray, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Connection } from './connection.ts'
import { raiseRevision } from './revision.ts'
import {
  account,
  asset,
  assetVersion,
  domain,
  form,
  ledger,
  refusalCount,
  spentChallenge,
  trackingKey,
} from './schema.ts'

/** Rows deleted in one transaction: about 5 ms. */
const rowsPerStep = 500

/** Makes the account invisible in one short transaction, then deletes its rows in small ones. */
export async function removeAccountRows(connection: Connection, accountRow: number, now: number): Promise<void> {
  hideAccount(connection, accountRow, now)
  const tables: [SQLiteTable, SQLiteColumn][] = [
    [ledger, ledger.accountRow],
    [assetVersion, assetVersion.accountRow],
    [asset, asset.accountRow],
    [form, form.accountRow],
    [trackingKey, trackingKey.accountRow],
    [refusalCount, refusalCount.accountRow],
    [spentChallenge, spentChallenge.accountRow],
  ]
  for (const [table, column] of tables) await deleteInSteps(connection, table, column, accountRow)
  connection.db.delete(account).where(eq(account.row, accountRow)).run()
}

function hideAccount({ db }: Connection, accountRow: number, now: number): void {
  db.transaction(
    () => {
      db.delete(domain).where(eq(domain.accountRow, accountRow)).run()
      // The handle is free again at once: the row's own id stands in for it.
      db.update(account)
        .set({ removedAt: now, handle: sql`${account.id}` })
        .where(eq(account.row, accountRow))
        .run()
      raiseRevision({ db })
    },
    { behavior: 'immediate' },
  )
}

async function deleteInSteps(
  { db }: Connection,
  table: SQLiteTable,
  column: SQLiteColumn,
  accountRow: number,
): Promise<void> {
  for (;;) {
    const step = db.select({ row: sql`rowid` }).from(table).where(eq(column, accountRow)).limit(rowsPerStep)
    const deleted = db.delete(table).where(inArray(sql`rowid`, step)).returning({ row: sql`rowid` }).all().length
    if (deleted < rowsPerStep) return
    // A breath between steps, so that the server's own commits never queue up behind a long removal.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
