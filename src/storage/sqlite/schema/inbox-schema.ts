import { index, integer, text } from 'drizzle-orm/sqlite-core'
import type { Actor } from '../../../console/audit/audit-log.ts'
import type { InboxState } from '../../../console/inbox/inbox.ts'
import { account } from './account-schema.ts'
import { consoleUser } from './console-schema.ts'
import { ledger } from './ledger-schema.ts'
import { json, table } from './table.ts'

const by = () => json<Actor>('by').notNull()

/** How far a submission has been worked on; without a row it is new. */
export const submissionState = table(
  'submission_state',
  { is: 'state', of: 'account', move: 'copied' },
  {
    /** The submission; its deletion deletes the row. */
    sequence: integer('sequence')
      .primaryKey()
      .references(() => ledger.sequence, { onDelete: 'cascade' }),
    accountRow: integer('account_row').notNull(),
    /** Of the submission, epoch milliseconds. */
    receivedAt: integer('received_at').notNull(),
    state: text('state').$type<Exclude<InboxState, 'new'>>().notNull(),
    at: integer('at').notNull(),
    by: by(),
  },
  (table) => [index('submission_state_by_receipt').on(table.accountRow, table.state, table.receivedAt)],
)

/** People's notes on submissions. The text is in no index (forgetting/residue.ts). */
export const submissionNote = table(
  'submission_note',
  { is: 'state', of: 'account', move: 'copied', isRenumbered: true, erasedText: 'text' },
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    id: text('id').notNull(),
    sequence: integer('sequence')
      .notNull()
      .references(() => ledger.sequence, { onDelete: 'cascade' }),
    accountRow: integer('account_row').notNull(),
    at: integer('at').notNull(),
    by: by(),
    text: text('text').notNull(),
  },
  (table) => [
    index('submission_note_by_submission').on(table.sequence),
    index('submission_note_by_account').on(table.accountRow),
  ],
)

/** Saved views of the inbox. A search may contain an address, so neither it nor the name is in an index. */
export const savedFilter = table(
  'saved_filter',
  { is: 'state', of: 'account', move: 'stays', erasedText: 'query' },
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    id: text('id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => consoleUser.id, { onDelete: 'cascade' }),
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    query: text('query').notNull(),
  },
  (table) => [
    index('saved_filter_by_user').on(table.userId, table.accountRow),
    index('saved_filter_by_account').on(table.accountRow),
  ],
)
