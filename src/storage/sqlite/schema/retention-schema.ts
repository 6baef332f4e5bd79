import { sql } from 'drizzle-orm'
import { check, integer, text } from 'drizzle-orm/sqlite-core'
import type { RetentionSettings } from '../../../account/account.ts'
import type { RetentionWait } from '../../../processing/retention.ts'
import { table } from './table.ts'

/** One row, once a service has run: the last clock reading that retention believed (forgetting/clock-watch.ts). */
export const clockSeen = table(
  'clock_seen',
  { is: 'fleeting', of: 'box', move: 'stays' },
  {
    id: integer('id').primaryKey(),
    at: integer('at').notNull(),
    bootId: text('boot_id'),
    uptimeMs: integer('uptime_ms'),
  },
  (table) => [check('clock_seen_is_one_row', sql`${table.id} = 1`)],
)

/** How far retention has come with an account. */
export const retentionState = table(
  'retention_state',
  { is: 'state', of: 'account', move: 'copied' },
  {
    accountRow: integer('account_row').primaryKey(),
    /** The instant and the terms by which its last pass deleted; `null`: none yet. */
    passedAt: integer('passed_at'),
    passedTerms: text('passed_terms', { mode: 'json' }).$type<RetentionSettings>(),
    /** What the present pass waits for, and since when; `null`: nothing. */
    wait: text('wait', { mode: 'json' }).$type<RetentionWait>(),
    waitsSince: integer('waits_since'),
    /** Whether the operator allows the waiting pass. */
    isAllowed: integer('is_allowed', { mode: 'boolean' }).notNull().default(false),
  },
)
