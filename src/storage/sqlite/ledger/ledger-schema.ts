import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** What was captured and decided, in order of commit: `sequence` is the cursor, and is never used twice (AUTOINCREMENT). */
export const ledger = sqliteTable(
  'ledger',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row').notNull(),
    /** See `entryKinds` in ledger-codec.ts, and `decisionKinds` in decision-codec.ts. */
    kind: integer('kind').notNull(),
    id: text('id').notNull(),
    receivedAt: integer('received_at').notNull(),
    /** The entry as JSON, less what the columns hold. */
    record: text('record').notNull(),
    /** See ledger-checksum.ts; `null`: stored before there were checksums. */
    checksum: integer('checksum'),
  },
  (table) => [
    index('ledger_by_account').on(table.accountRow, table.kind, table.sequence),
    // Submissions are looked up by id; events never are, and an index would cost each of them a write.
    uniqueIndex('ledger_submission_by_id').on(table.accountRow, table.id).where(sql`kind = 1`),
    // A submission is released once.
    uniqueIndex('ledger_release_by_id').on(table.accountRow, table.id).where(sql`kind = 5`),
  ],
)

/** With which entry each hour of receipt begins, so that reading from an instant on passes over what is older. */
export const receiptHour = sqliteTable('receipt_hour', {
  /** Epoch hours. */
  hour: integer('hour').primaryKey(),
  /** The lowest of all entries received in that hour. */
  firstSequence: integer('first_sequence').notNull(),
})
