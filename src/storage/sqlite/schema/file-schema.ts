import { index, integer, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { table } from './table.ts'

/** The contents of the files that visitors sent with submissions, those of the test page too. */
export const submissionFile = table(
  'submission_file',
  { is: 'derived', of: 'account', move: 'copied', perEntry: ['sequence'], isRenumbered: true },
  {
    /** In the order of processing, in which a record that was set aside comes late: backups send what came after. */
    row: integer('row').primaryKey({ autoIncrement: true }),
    sequence: integer('sequence').notNull(),
    accountRow: integer('account_row').notNull(),
    sha256: text('sha256').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [
    uniqueIndex('submission_file_by_entry').on(table.sequence, table.sha256),
    index('submission_file_by_content').on(table.sha256),
    index('submission_file_by_account').on(table.accountRow, table.sha256, table.bytes),
  ],
)

/** Contents of removed submissions, noted in the transaction that removes them: they are deleted soon, unless another has the same. */
export const looseFile = table(
  'loose_file',
  { is: 'fleeting', of: 'box', move: 'stays', isWithoutRowId: true },
  { sha256: text('sha256').primaryKey() },
)
