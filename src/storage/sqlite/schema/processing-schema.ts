import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Touch } from '../../../processing/attribution/touch.ts'
import type { ShownVersion } from '../../../processing/attribution/versions.ts'
import type { Channel } from '../../../processing/figures/channel.ts'
import { otherNames } from '../../../processing/figures/measures.ts'
import { json, table } from './table.ts'

// What processing derived from the ledger; all of it can be derived again.

/** One row: how far the ledger has been processed. */
export const processing = table(
  'processing',
  { is: 'derived', of: 'box', move: 'stays' },
  {
    id: integer('id').primaryKey(),
    /** The ledger sequence of the last entry processed or set aside. */
    cursor: integer('cursor').notNull(),
  },
  (table) => [check('processing_is_one_row', sql`${table.id} = 1`)],
)

/** Entries that could not be processed: they stay in the ledger, `doctor` shows them, and others are processed. */
export const setAside = table(
  'set_aside',
  { is: 'derived', of: 'account', move: 'copied', perEntry: ['sequence'], alike: 'never' },
  {
    sequence: integer('sequence').primaryKey(),
    accountRow: integer('account_row').notNull(),
    /** An error's name and place in our sources, never its message, which may quote the entry. */
    reason: text('reason').notNull(),
    at: integer('at').notNull(),
    /** The version of the program in which it took too long; only another version tries it again. `null`: it did not. */
    slowIn: text('slow_in'),
  },
)

/**
 * Entries that another box captured and delivered: they are processed, but nothing is sent for them. Rows are ranges of
 * entries.
 */
export const deliveredElsewhere = table(
  'delivered_elsewhere',
  { is: 'state', of: 'box', move: 'stays' },
  {
    lastSequence: integer('last_sequence').primaryKey(),
    firstSequence: integer('first_sequence').notNull(),
  },
)

export const device = table(
  'device',
  { is: 'derived', of: 'account', move: 'copied' },
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row').notNull(),
    id: text('id').notNull(),
    /**
     * Its latest hit that counts as part of a visit, epoch milliseconds; `null`: none yet. A visit continues from
     * there.
     */
    hitAt: integer('hit_at'),
    /** When its latest visit began, epoch milliseconds; `null`: none yet, or it is not known. */
    visitAt: integer('visit_at'),
    /** What began that visit, as counted. */
    channel: json<Channel>('channel'),
    /** The latest day (days since 1970 in the account's time zone) on which it viewed something. */
    viewDay: integer('view_day'),
    /** The landing page it was served last. */
    pageAt: integer('page_at'),
    pageSlug: text('page_slug'),
    pageSha256: text('page_sha256'),
    /** The versions of split pages that its latest visit was shown; `null`: none. */
    versions: json<ShownVersion[]>('versions'),
    /** Receipt of its earliest click without a later sign of life, epoch milliseconds; `null`: no click awaits one. */
    awaitsLifeSince: integer('awaits_life_since'),
    /** What deleted hits left behind; see device-base.ts in processing/refolding. */
    expiredAt: integer('expired_at'),
    expiredHitAt: integer('expired_hit_at'),
    expiredViewDay: integer('expired_view_day'),
    expiredVisitAt: integer('expired_visit_at'),
    expiredChannel: json<Channel>('expired_channel'),
  },
  (table) => [uniqueIndex('device_by_id').on(table.accountRow, table.id)],
)

/** A visit that is counted as one of the others. Queries repeat it word for word, so that they may use the index. */
export const isVisitOfOthers = `instr(channel, '"${otherNames}"') > 0`

/** An entry that began a visit. Queries repeat it word for word, so that they may use the index. */
export const beginsVisit = 'channel IS NOT NULL'

/** The ledger entries of a device in order of receipt, and what each added to the figures. */
export const deviceEntry = table(
  'device_entry',
  {
    is: 'derived',
    of: 'device',
    move: 'copied',
    perEntry: ['device_row', 'received_at', 'sequence'],
    isWithoutRowId: true,
  },
  {
    deviceRow: integer('device_row').notNull(),
    receivedAt: integer('received_at').notNull(),
    sequence: integer('sequence').notNull(),
    /** See `entryKinds` in ledger-codec.ts. */
    kind: integer('kind').notNull(),
    /** Days since 1970 in the account's time zone at processing. */
    day: integer('day').notNull(),
    /** What it added to the day's figures: the bits of measures.ts in processing/figures. */
    counted: integer('counted').notNull(),
    /** Of the visit that it began, as counted; `null`: it began none. */
    channel: json<Channel>('channel'),
  },
  (table) => [
    primaryKey({ columns: [table.deviceRow, table.receivedAt, table.sequence] }),
    // Visits that go under their own name once an erasure leaves one free; mostly none.
    index('device_entry_of_others').on(table.day, table.sequence).where(sql.raw(isVisitOfOthers)),
    // A visit may have a hundred thousand events, each of which asks when it began.
    index('device_entry_of_visits').on(table.deviceRow, table.receivedAt).where(sql.raw(beginsVisit)),
  ],
)

export const person = table(
  'person',
  { is: 'derived', of: 'account', move: 'copied', erasedText: 'traits' },
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row').notNull(),
    id: text('id').notNull(),
    /** As `identityEmail` writes it. */
    email: text('email').notNull(),
    /** See `emailMark`: persons are found by it, so that no index contains a copy of an address. */
    emailMark: integer('email_mark').notNull(),
    /** Traits stated by records that name the person; see person-rows.ts. */
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
 * From this record on, the device is the person's (docs/identity.md). Ordered by receipt: time, then id; records
 * before the first tie are that person's too.
 */
export const deviceTie = table(
  'device_tie',
  // Ties to nobody that came and went between two links are not on other nodes.
  { is: 'derived', of: 'device', move: 'copied', isWithoutRowId: true, alike: 'person_row <> 0' },
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
 * Traits that `$identify` events without an address stated, by device: their owner is determined when they are read,
 * since the device may become somebody's later. Unlike its neighbours, this table has row numbers, so that visitors'
 * text is in no index (forgetting/residue.ts).
 */
export const deviceTraits = table(
  'device_traits',
  {
    is: 'derived',
    of: 'device',
    move: 'copied',
    perEntry: ['device_row', 'received_at', 'entry_id'],
    erasedText: 'traits',
  },
  {
    deviceRow: integer('device_row').notNull(),
    receivedAt: integer('received_at').notNull(),
    entryId: text('entry_id').notNull(),
    /** JSON; numbers keep their digits. */
    traits: text('traits').notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceRow, table.receivedAt, table.entryId] })],
)

/** Where a device came from, for each record that says so. */
export const touch = table(
  'touch',
  {
    is: 'derived',
    of: 'device',
    move: 'copied',
    perEntry: ['device_row', 'received_at', 'entry_id'],
    isWithoutRowId: true,
  },
  {
    deviceRow: integer('device_row').notNull(),
    receivedAt: integer('received_at').notNull(),
    entryId: text('entry_id').notNull(),
    isDirect: integer('is_direct', { mode: 'boolean' }).notNull(),
    touch: json<Touch>('touch').notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceRow, table.receivedAt, table.entryId] })],
)
