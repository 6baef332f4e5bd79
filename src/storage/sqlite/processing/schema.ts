import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Touch } from '../../../processing/attribution/touch.ts'

// What processing has made of the ledger. All of it but erasures' and releases' rows could be made again from there.

/** One row: how far the ledger has been processed. */
export const processing = sqliteTable(
  'processing',
  {
    id: integer('id').primaryKey(),
    /** The ledger sequence of the last entry that was processed or set aside. */
    cursor: integer('cursor').notNull(),
  },
  (table) => [check('processing_is_one_row', sql`${table.id} = 1`)],
)

/** Entries that could not be processed: kept in the ledger, shown by `doctor`, in nobody's way. */
export const setAside = sqliteTable('set_aside', {
  sequence: integer('sequence').primaryKey(),
  accountRow: integer('account_row').notNull(),
  /** An error's name and its place in our sources: never its message, which may quote the entry. */
  reason: text('reason').notNull(),
  at: integer('at').notNull(),
})

export const device = sqliteTable(
  'device',
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row').notNull(),
    id: text('id').notNull(),
    /** Its latest hit that counts, epoch milliseconds; `null`: none yet. Where a visit goes on from. */
    hitAt: integer('hit_at'),
    /** The latest day (days since 1970 in the account's time zone) with a view that counts. */
    viewDay: integer('view_day'),
    /** The landing page it was served last. */
    pageAt: integer('page_at'),
    pageSlug: text('page_slug'),
    pageSha256: text('page_sha256'),
    /** Receipt of its earliest click without a later sign of life, epoch milliseconds; `null`: none waits for one. */
    awaitsLifeSince: integer('awaits_life_since'),
  },
  (table) => [uniqueIndex('device_by_id').on(table.accountRow, table.id)],
)

/** Which entries of the ledger a device made, in order of receipt, and what each added to the figures. */
export const deviceEntry = sqliteTable(
  'device_entry',
  {
    deviceRow: integer('device_row').notNull(),
    receivedAt: integer('received_at').notNull(),
    sequence: integer('sequence').notNull(),
    /** See `entryKinds` in ledger-codec.ts. */
    kind: integer('kind').notNull(),
    /** Days since 1970 in the account's time zone, as it was counted. */
    day: integer('day').notNull(),
    /** What it added to the day's figures: the bits of `hitBits` in processing/figures. */
    counted: integer('counted').notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceRow, table.receivedAt, table.sequence] })],
)

export const person = sqliteTable(
  'person',
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row').notNull(),
    /** UUIDv7. */
    id: text('id').notNull(),
    /** As `identityEmail` writes it. */
    email: text('email').notNull(),
    /** See email-mark.ts: persons are found by it, and no index ever holds a copy of an address. */
    emailMark: integer('email_mark').notNull(),
    /** Traits that records naming the person have said; see traits-codec.ts. */
    traits: text('traits').notNull(),
  },
  (table) => [
    index('person_by_email_mark').on(table.accountRow, table.emailMark),
    index('person_by_account').on(table.accountRow),
  ],
)

/** The person of a tie whose person was erased: what the device records until its next tie is nobody's. */
export const nobody = 0

/**
 * From this record on the device is the person's (contract section 8). Order is that of receipt: time, then id; records
 * before the first tie are the first person's too.
 */
export const deviceTie = sqliteTable(
  'device_tie',
  {
    deviceRow: integer('device_row').notNull(),
    receivedAt: integer('received_at').notNull(),
    entryId: text('entry_id').notNull(),
    personRow: integer('person_row').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceRow, table.receivedAt, table.entryId] }),
    index('device_tie_by_person').on(table.personRow),
  ],
)

/**
 * What an `$identify` event without an address said, by device: whose traits they are is found when they are read, since
 * the device may become somebody's later. A table with rows of its own, unlike its neighbours, so that text which visitors
 * sent lies in no index (forgetting/residue.ts).
 */
export const deviceTraits = sqliteTable(
  'device_traits',
  {
    deviceRow: integer('device_row').notNull(),
    receivedAt: integer('received_at').notNull(),
    entryId: text('entry_id').notNull(),
    /** As JSON, whose numbers keep their digits. */
    traits: text('traits').notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceRow, table.receivedAt, table.entryId] })],
)

/** Where a device came from, each time that says something. */
export const touch = sqliteTable(
  'touch',
  {
    deviceRow: integer('device_row').notNull(),
    receivedAt: integer('received_at').notNull(),
    entryId: text('entry_id').notNull(),
    isDirect: integer('is_direct', { mode: 'boolean' }).notNull(),
    touch: text('touch', { mode: 'json' }).$type<Touch>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceRow, table.receivedAt, table.entryId] })],
)

/** What is known of a stored submission; one that the test page sent has none. */
export const submissionFact = sqliteTable(
  'submission_fact',
  {
    sequence: integer('sequence').primaryKey(),
    accountRow: integer('account_row').notNull(),
    id: text('id').notNull(),
    formId: text('form_id').notNull(),
    receivedAt: integer('received_at').notNull(),
    status: text('status').$type<'accepted' | 'refused'>().notNull(),
    /** When an operator released a refused one, epoch milliseconds: from then on it counts as accepted. */
    releasedAt: integer('released_at'),
    /** Whether a release waits to be processed. */
    releaseWaits: integer('release_waits', { mode: 'boolean' }).notNull().default(false),
    personRow: integer('person_row'),
    deviceRow: integer('device_row'),
    /** Of form, fields and sender; `null`: refused, or nobody can be told to have sent it. */
    fingerprint: text('fingerprint'),
    /** The earlier submission's id. */
    duplicateOf: text('duplicate_of'),
    firstTouch: text('first_touch', { mode: 'json' }).$type<Touch>(),
    lastTouch: text('last_touch', { mode: 'json' }).$type<Touch>(),
    pageSlug: text('page_slug'),
    pageSha256: text('page_sha256'),
    /** The day it counts as a lead, and for which source; `null`: it is none. */
    leadDay: integer('lead_day'),
    leadSource: text('lead_source'),
  },
  (table) => [
    uniqueIndex('submission_fact_by_id').on(table.accountRow, table.id),
    index('submission_fact_by_status').on(table.accountRow, table.status, table.receivedAt, table.releasedAt),
    index('submission_fact_by_person').on(table.personRow).where(sql`person_row IS NOT NULL`),
    index('submission_fact_by_device').on(table.deviceRow, table.receivedAt).where(sql`device_row IS NOT NULL`),
    index('submission_fact_by_fingerprint')
      .on(table.accountRow, table.fingerprint, table.receivedAt)
      .where(sql`fingerprint IS NOT NULL`),
    index('submission_fact_by_page').on(table.pageSha256).where(sql`page_sha256 IS NOT NULL`),
    index('submission_fact_release_waits').on(table.sequence).where(sql`release_waits = 1`),
  ],
)

/** A click as it is judged today; what it was judged by when it came stays in the ledger. */
export const clickFact = sqliteTable(
  'click_fact',
  {
    sequence: integer('sequence').primaryKey(),
    accountRow: integer('account_row').notNull(),
    deviceRow: integer('device_row').notNull(),
    receivedAt: integer('received_at').notNull(),
    day: integer('day').notNull(),
    /** '' when the link names none. */
    message: text('message').notNull(),
    recipient: text('recipient'),
    url: text('url').notNull(),
    /** Whose clicks of which message make a burst: a hash, personal like the address it may be made from. */
    burstGroup: text('burst_group').notNull(),
    /** Hash of the user agent. */
    agent: text('agent').notNull(),
    verdict: text('verdict').$type<'human' | 'suspected' | 'machine'>().notNull(),
    reasons: text('reasons', { mode: 'json' }).$type<string[]>().notNull(),
    /** When the device loaded a page or sent an event after it, epoch milliseconds. */
    lifeAt: integer('life_at'),
  },
  (table) => [
    index('click_fact_by_account').on(table.accountRow, table.sequence),
    index('click_fact_by_device').on(table.deviceRow, table.receivedAt),
    index('click_fact_by_burst_group').on(table.accountRow, table.burstGroup, table.receivedAt),
    index('click_fact_by_recipient').on(table.accountRow, table.recipient).where(sql`recipient IS NOT NULL`),
  ],
)

/** Which devices viewed something on a day, so that each counts as one visitor. */
export const visitorDay = sqliteTable(
  'visitor_day',
  {
    deviceRow: integer('device_row').notNull(),
    day: integer('day').notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceRow, table.day] })],
)

/** The roll-ups: an account's figures by day. They outlive the records they were counted from (docs/reports.md). */
export const dayFigure = sqliteTable(
  'day_figure',
  {
    accountRow: integer('account_row').notNull(),
    /** Days since 1970 in the account's time zone. */
    day: integer('day').notNull(),
    /** One of `measures` in processing/figures. */
    measure: text('measure').notNull(),
    /** What the measure is split by: a form's id, a source, a message; '' when by nothing. */
    name: text('name').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountRow, table.day, table.measure, table.name] })],
)
