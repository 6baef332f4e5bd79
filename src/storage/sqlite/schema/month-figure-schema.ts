import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, text } from 'drizzle-orm/sqlite-core'
import { table } from './table.ts'

/**
 * The figures of each month together, so that a long report reads a row for a month instead of thousands. A month has a row
 * from its first figure on; its figures are added up when it is over, and again after they change.
 */
export const monthFigure = table(
  'month_figure',
  { is: 'derived', of: 'account', move: 'copied' },
  {
    accountRow: integer('account_row').notNull(),
    /** Of the month; days since 1970 in the account's time zone. */
    firstDay: integer('first_day').notNull(),
    /** See month-sums.ts; `null`: not added up. */
    sums: text('sums'),
  },
  (table) => [
    primaryKey({ columns: [table.accountRow, table.firstDay] }),
    // The thread that commits looks for months to add up whenever it has nothing else to do.
    index('month_figure_waiting').on(table.firstDay).where(sql`sums IS NULL`),
  ],
)
