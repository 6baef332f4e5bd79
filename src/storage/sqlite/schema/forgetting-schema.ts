import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { RetentionSettings } from '../../../account/account.ts'
import type { RetentionWait } from '../../../processing/retention.ts'
import { json, table } from './table.ts'

// Keys whose entries are partly gone, and that must be derived again without them. Each mark is written in the
// transaction that removes the entries, so that whoever processes next finds it even after a kill.

export const staleDevice = table(
  'stale_device',
  { is: 'derived', of: 'device', move: 'stays' },
  {
    /** Never reused: a device marked again has another number. */
    mark: integer('mark').primaryKey({ autoIncrement: true }),
    deviceRow: integer('device_row').notNull().unique(),
    /** Why it could not be derived again; it then stays as it was until it is marked again. `null`: it is waiting. */
    givenUp: text('given_up'),
  },
)

/**
 * A time in which a device was an erased person's, epoch milliseconds: what records of then told before they expired goes with the
 * device's refold.
 */
export const erasedTime = table(
  'erased_time',
  { is: 'derived', of: 'device', move: 'stays' },
  {
    deviceRow: integer('device_row').notNull(),
    fromAt: integer('from_at').notNull(),
    /** Exclusive. */
    untilAt: integer('until_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceRow, table.fromAt, table.untilAt] })],
)

/** A day of which a name went that leads had counted for: leads among the others may have its place. */
export const staleDay = table(
  'stale_day',
  { is: 'derived', of: 'account', move: 'stays' },
  {
    /** Never reused: a day marked again has another number. */
    mark: integer('mark').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row').notNull(),
    day: integer('day').notNull(),
  },
  (table) => [uniqueIndex('stale_day_by_day').on(table.accountRow, table.day)],
)

/** A removed submission: what repeated it may now repeat another, or none. */
export const staleRepeat = table(
  'stale_repeat',
  { is: 'derived', of: 'account', move: 'stays' },
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

/** A removed click: the clicks around it may no longer be a burst. */
export const staleBurst = table(
  'stale_burst',
  { is: 'derived', of: 'account', move: 'stays' },
  {
    sequence: integer('sequence').primaryKey(),
    accountRow: integer('account_row').notNull(),
    burstGroup: text('burst_group').notNull(),
    receivedAt: integer('received_at').notNull(),
  },
)

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
    passedTerms: json<RetentionSettings>('passed_terms'),
    /** What the present pass waits for, and since when; `null`: nothing. */
    wait: json<RetentionWait>('wait'),
    waitsSince: integer('waits_since'),
    /** Whether the operator allows the waiting pass. */
    isAllowed: integer('is_allowed', { mode: 'boolean' }).notNull().default(false),
  },
)
