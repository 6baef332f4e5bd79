import { index, integer, primaryKey, text } from 'drizzle-orm/sqlite-core'
import { table } from './table.ts'

/** Refused requests and lost records, by hour, so that `refusals --since` can look back. */
export const refusalCount = table(
  'refusal_count',
  { is: 'state', of: 'account', move: 'copied' },
  {
    accountRow: integer('account_row').notNull(),
    /** Epoch hours. */
    hour: integer('hour').notNull(),
    endpoint: text('endpoint').notNull(),
    check: text('check').notNull(),
    /** The posting origin; '' if there was none, '*' beyond the limit of names kept. */
    origin: text('origin').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.accountRow, table.hour, table.endpoint, table.check, table.origin],
    }),
  ],
)

/** Requests for addresses at which nothing is. */
export const missingCount = table(
  'missing_count',
  { is: 'state', of: 'account', move: 'copied' },
  {
    accountRow: integer('account_row').notNull(),
    /** Days since 1970-01-01 in the account's time zone. */
    day: integer('day').notNull(),
    path: text('path').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountRow, table.day, table.path] })],
)

/**
 * Used self-hosted bot challenges, until they would have expired anyway. Also who wants no more replies
 * (account/reply-consent.ts).
 */
export const spentChallenge = table(
  'spent_challenge',
  { is: 'state', of: 'account', move: 'copied' },
  {
    accountRow: integer('account_row').notNull(),
    challenge: text('challenge').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountRow, table.challenge] }),
    index('spent_challenge_by_expiry').on(table.expiresAt),
  ],
)
