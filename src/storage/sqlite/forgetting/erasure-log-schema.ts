import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// What was erased, by ids alone and never by the address, so that a backup from before an erasure can be told what it
// does not know. Rows outlive the account: an older backup brings that back too.

/** One erasure of one person. */
export const erasure = sqliteTable('erasure', {
  row: integer('row').primaryKey({ autoIncrement: true }),
  /** UUIDv7: the same erasure in a backup, or in the database of another folder. */
  id: text('id').notNull().unique(),
  /** The account's id and not its row: rows of an older backup are given to other accounts later. */
  accountId: text('account_id').notNull(),
  /** `null`: nobody was known by the address, and only records named it. */
  personId: text('person_id'),
  /** Epoch milliseconds. */
  begunAt: integer('begun_at').notNull(),
  /** `null`: it was interrupted. */
  endedAt: integer('ended_at'),
})

/** A record that an erasure took. In every copy of the ledger that holds it, it has this sequence and this id. */
export const erasedRecord = sqliteTable(
  'erased_record',
  {
    erasureRow: integer('erasure_row')
      .notNull()
      .references(() => erasure.row),
    sequence: integer('sequence').notNull(),
    recordId: text('record_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.erasureRow, table.sequence] })],
)
