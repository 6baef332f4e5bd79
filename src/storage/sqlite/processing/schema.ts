import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Touch } from '../../../processing/attribution/touch.ts'

// What processing has made of the ledger. All of it could be made again from there.

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

/**
 * Entries that another box captured and delivered before they came here: they are processed, and nothing is sent for them. Rows
 * are runs of entries.
 */
export const deliveredElsewhere = sqliteTable('delivered_elsewhere', {
  lastSequence: integer('last_sequence').primaryKey(),
  firstSequence: integer('first_sequence').notNull(),
})

export const device = sqliteTable(
  'device',
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row').notNull(),
    id: text('id').notNull(),
    /** Its latest hit that counts, epoch milliseconds; `null`: none yet. Where a visit goes on from. */
    hitAt: integer('hit_at'),
    /** When its latest visit began, epoch milliseconds; `null`: none yet, or it is not known. */
    visitAt: integer('visit_at'),
    /** The latest day (days since 1970 in the account's time zone) with a view that counts. */
    viewDay: integer('view_day'),
    /** The landing page it was served last. */
    pageAt: integer('page_at'),
    pageSlug: text('page_slug'),
    pageSha256: text('page_sha256'),
    /** Receipt of its earliest click without a later sign of life, epoch milliseconds; `null`: none waits for one. */
    awaitsLifeSince: integer('awaits_life_since'),
    /** What retention left of hits that it has deleted; see device-base.ts in processing/forgetting. */
    expiredAt: integer('expired_at'),
    expiredHitAt: integer('expired_hit_at'),
    expiredViewDay: integer('expired_view_day'),
    expiredVisitAt: integer('expired_visit_at'),
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
    /** What it added to the day's figures: the bits of hit-bits.ts in processing/figures. */
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
    index('person_by_id').on(table.accountRow, table.id),
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
