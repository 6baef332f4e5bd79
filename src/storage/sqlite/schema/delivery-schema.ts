import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Destination } from '../../../account/destination.ts'
import type { PauseReason } from '../../../delivery/delivery-control.ts'
import type { DeliveryState } from '../../../delivery/outbox.ts'
import { account } from './account-schema.ts'
import { ledger } from './ledger-schema.ts'
import { accountId, json, table } from './table.ts'

/**
 * Where an account's submissions and reports go (`[[deliveries]]`). A removed destination stays for what it was sent.
 */
export const destination = table(
  'destination',
  {
    is: 'state',
    of: 'account',
    move: 'copied',
    sealed: {
      row: `${accountId('destination')} || ' ' || name`,
      // Whoever knows the address of a webhook or a chat can post there.
      columns: { secret: 'text', previous_secret: 'text', definition: { json: ['url'] } },
      live: 'removed_at IS NULL',
    },
  },
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    name: text('name').notNull(),
    /** Its address is sealed. */
    definition: json<Destination>('definition').notNull(),
    /** Webhooks only: `whsec_…`, sealed. */
    secret: text('secret'),
    /** Until then, it signs beside the new one. Sealed. */
    previousSecret: text('previous_secret'),
    previousUntil: integer('previous_until'),
    /** Submissions that counted before are not sent there. */
    createdAt: integer('created_at').notNull(),
    removedAt: integer('removed_at'),
    pausedAt: integer('paused_at'),
    pauseReason: text('pause_reason').$type<PauseReason>(),
    /** The first failed attempt since the latest success; `null`: none. */
    failingSince: integer('failing_since'),
    /** Failed attempts since then. */
    failures: integer('failures').notNull().default(0),
  },
  (table) => [uniqueIndex('destination_by_name').on(table.accountRow, table.name).where(sql`removed_at IS NULL`)],
)

/**
 * The outbox: a row for each submission and destination, written in the transaction that processes the submission.
 * A waiting one does not move: the box that captured the submission sends it.
 */
export const delivery = table(
  'delivery',
  { is: 'state', of: 'account', move: 'copied', moves: "state <> 'waiting'", erasedText: 'body' },
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    accountRow: integer('account_row').notNull(),
    destinationRow: integer('destination_row').notNull(),
    /** The submission; its deletion deletes the row; `null`: a report. */
    sequence: integer('sequence').references(() => ledger.sequence, { onDelete: 'cascade' }),
    submissionId: text('submission_id'),
    formId: text('form_id'),
    isDuplicate: integer('is_duplicate', { mode: 'boolean' }).notNull().default(false),
    /** The submission came before the destination, and a backfill sends it. */
    isBackfilled: integer('is_backfilled', { mode: 'boolean' }).notNull().default(false),
    /** Reports only: `2026-10`, `2026-W42`, `2026-10-12`. */
    period: text('period'),
    state: text('state').$type<DeliveryState>().notNull(),
    /** When the submission began to count, or the report was due. */
    createdAt: integer('created_at').notNull(),
    nextAt: integer('next_at').notNull(),
    /** All attempts made. */
    attempts: integer('attempts').notNull().default(0),
    /** Failed attempts in the present schedule; `retry` starts a new one. */
    scheduleStep: integer('schedule_step').notNull().default(0),
    /** When the latest attempt began, so that after a crash it is known who may have been told. */
    triedAt: integer('tried_at'),
    settledAt: integer('settled_at'),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    /** As first sent, so that every try sends the same. */
    body: text('body'),
  },
  (table) => [
    index('delivery_due').on(table.destinationRow, table.nextAt).where(sql`state = 'waiting'`),
    index('delivery_by_account').on(table.accountRow, table.row),
    index('delivery_failed').on(table.accountRow, table.row).where(sql`state = 'failed'`),
    index('delivery_by_submission').on(table.sequence).where(sql`sequence IS NOT NULL`),
    uniqueIndex('delivery_by_period').on(table.destinationRow, table.period).where(sql`period IS NOT NULL`),
    index('delivery_body_by_age').on(table.settledAt).where(sql`body IS NOT NULL AND settled_at IS NOT NULL`),
  ],
)

/** Each attempt with its exchange, for 30 days. */
export const deliveryAttempt = table(
  'delivery_attempt',
  { is: 'state', of: 'delivery', move: 'copied', erasedText: 'exchange' },
  {
    deliveryRow: integer('delivery_row')
      .notNull()
      .references(() => delivery.row, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    at: integer('at').notNull(),
    status: integer('status'),
    error: text('error'),
    exchange: text('exchange').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deliveryRow, table.number] }),
    index('delivery_attempt_by_age').on(table.at),
  ],
)

/**
 * Which submissions were answered, for as long as that counts towards the limits of replies. An address is stored as a
 * keyed mark with a key of the box, the same in all its accounts.
 */
export const visitorReply = table(
  'visitor_reply',
  { is: 'state', of: 'account', move: 'stays' },
  {
    accountRow: integer('account_row').notNull(),
    destinationRow: integer('destination_row').notNull(),
    addressMark: text('address_mark').notNull(),
    /** The submission's receipt. */
    at: integer('at').notNull(),
  },
  (table) => [
    index('visitor_reply_by_address').on(table.addressMark, table.at),
    index('visitor_reply_by_account').on(table.accountRow, table.at),
    index('visitor_reply_by_age').on(table.at),
  ],
)

/** When a destination last got a mail about a form: the next one follows after five minutes. */
export const deliveryPace = table(
  'delivery_pace',
  { is: 'state', of: 'destination', move: 'copied' },
  {
    destinationRow: integer('destination_row')
      .notNull()
      .references(() => destination.row, { onDelete: 'cascade' }),
    formId: text('form_id').notNull(),
    sentAt: integer('sent_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.destinationRow, table.formId] })],
)
