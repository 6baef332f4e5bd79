import { sql } from 'drizzle-orm'
import { index, integer, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { table } from './table.ts'

/**
 * Captured records and decisions in order of commit. `sequence` is the cursor and never reused (AUTOINCREMENT).
 * Entries that are not processed yet move later (`account move --since`).
 */
export const ledger = table(
  'ledger',
  {
    is: 'ledger',
    of: 'account',
    move: 'apart',
    moves: 'sequence <= (SELECT cursor FROM source.processing)',
    perEntry: ['sequence'],
    erasedText: 'record',
  },
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row').notNull(),
    /** See `entryKinds` and `decisionKinds` in ledger-codec.ts. */
    kind: integer('kind').notNull(),
    id: text('id').notNull(),
    receivedAt: integer('received_at').notNull(),
    /** The entry as JSON, without what the columns hold. */
    record: text('record').notNull(),
    /** See `checksumOfLine` in ledger-codec.ts. */
    checksum: integer('checksum').notNull(),
  },
  (table) => [
    index('ledger_by_account').on(table.accountRow, table.kind, table.sequence),
    // Submissions are looked up by id. Events never are, and an index would cost each of them a write.
    uniqueIndex('ledger_submission_by_id').on(table.accountRow, table.id).where(sql`kind = 1`),
    // Releases and refusals, few, by the submission that they are about.
    index('ledger_decision_by_id').on(table.accountRow, table.id).where(sql`kind IN (5, 7)`),
    // A submission is confirmed at most once.
    uniqueIndex('ledger_confirmation_by_id').on(table.accountRow, table.id).where(sql`kind = 8`),
  ],
)

/** The entry with which each hour of receipt begins, so that reading from an instant on skips older ones. */
export const receiptHour = table(
  'receipt_hour',
  { is: 'derived', of: 'box', move: 'stays' },
  {
    /** Epoch hours. */
    hour: integer('hour').primaryKey(),
    /** The lowest sequence of all entries received in that hour. */
    firstSequence: integer('first_sequence').notNull(),
  },
)
