import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// What was made of entries that are gone by now, and has to be made anew without them. Each mark is written in the
// transaction that takes the entries, so that whoever processes next finds it, whatever became of whoever took them.

export const staleDevice = sqliteTable('stale_device', {
  /** Never used twice: a device that is marked again meanwhile has another one. */
  mark: integer('mark').primaryKey({ autoIncrement: true }),
  deviceRow: integer('device_row').notNull().unique(),
  /** Why it could not be made anew, and stays as it was until it is marked again; `null`: it waits to be made anew. */
  givenUp: text('given_up'),
})

/** A submission that is gone: what repeated it may repeat something else, or nothing. */
export const staleRepeat = sqliteTable(
  'stale_repeat',
  {
    sequence: integer('sequence').primaryKey(),
    accountRow: integer('account_row').notNull(),
    fingerprint: text('fingerprint').notNull(),
    id: text('id').notNull(),
    receivedAt: integer('received_at').notNull(),
    duplicateOf: text('duplicate_of'),
  },
  (table) => [index('stale_repeat_by_fingerprint').on(table.accountRow, table.fingerprint)],
)

/** A click that is gone: those around it may have been a burst with it alone. */
export const staleBurst = sqliteTable('stale_burst', {
  sequence: integer('sequence').primaryKey(),
  accountRow: integer('account_row').notNull(),
  burstGroup: text('burst_group').notNull(),
  receivedAt: integer('received_at').notNull(),
})
