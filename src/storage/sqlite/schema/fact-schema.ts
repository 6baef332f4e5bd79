import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, text } from 'drizzle-orm/sqlite-core'
import type { Touch } from '../../../processing/attribution/touch.ts'
import type { ShownVersion } from '../../../processing/attribution/versions.ts'
import type { Channel, DeviceKind } from '../../../processing/figures/channel.ts'
import { leadMeasures, otherNames } from '../../../processing/figures/measures.ts'
import { json, table } from './table.ts'

// What processing derived about single records, and what it counted.

/** A lead counted as one of the others. Queries repeat it word for word, so that they may use the index. */
export const isOfOthers = `(${leadMeasures.map((column) => `${column} = '${otherNames}'`).join(' OR ')})`

/** An entry that did something for the first time in its visit. Queries repeat it word for word, so that they may use the index. */
export const isCountedInVisit = `counted <> '[]'`

/** What is known about a stored submission; those of the test page have no row. */
export const submissionFact = table(
  'submission_fact',
  { is: 'derived', of: 'account', move: 'copied', perEntry: ['sequence'], erasedText: 'page_slug' },
  {
    sequence: integer('sequence').primaryKey(),
    accountRow: integer('account_row').notNull(),
    id: text('id').notNull(),
    formId: text('form_id').notNull(),
    /** What it was sent from, by its user agent. */
    deviceKind: text('device_kind').$type<DeviceKind>().notNull().default('other'),
    receivedAt: integer('received_at').notNull(),
    /** On receipt; `refused` also once an operator has refused it. */
    status: text('status').$type<'accepted' | 'refused'>().notNull(),
    /** When an operator released a refused submission, epoch milliseconds: from then on it counts as accepted. */
    releasedAt: integer('released_at'),
    /** When an operator refused it, epoch milliseconds; `null`: none did, or it was released since. */
    refusedAt: integer('refused_at'),
    /** When the visitor confirmed it by mail, epoch milliseconds. */
    confirmedAt: integer('confirmed_at'),
    personRow: integer('person_row'),
    deviceRow: integer('device_row'),
    /** Of form, fields and sender, beginning with the sender's row; `null`: refused, or the sender is unknown. */
    fingerprint: text('fingerprint'),
    /** The earlier submission's id. */
    duplicateOf: text('duplicate_of'),
    firstTouch: json<Touch>('first_touch'),
    lastTouch: json<Touch>('last_touch'),
    /** The landing page served last to the device, and when, epoch milliseconds. */
    pageAt: integer('page_at'),
    pageSlug: text('page_slug'),
    pageSha256: text('page_sha256'),
    /** The versions of split pages that it followed; `null`: none. */
    versions: json<ShownVersion[]>('versions'),
    /** The day it counts for, and the names its lead does: `leadMeasures`. A likely duplicate has no source, others no day. */
    leadDay: integer('lead_day'),
    leadSource: text('lead_source'),
    leadMedium: text('lead_medium'),
    leadCampaign: text('lead_campaign'),
    leadPage: text('lead_page'),
  },
  (table) => [
    index('submission_fact_by_status').on(table.accountRow, table.status, table.receivedAt, table.releasedAt),
    index('submission_fact_by_form').on(
      table.accountRow,
      table.formId,
      table.status,
      table.receivedAt,
      table.releasedAt,
    ),
    // Among a full quarantine, the few that were released.
    index('submission_fact_released').on(table.accountRow, table.receivedAt).where(sql`released_at IS NOT NULL`),
    index('submission_fact_by_person').on(table.personRow).where(sql`person_row IS NOT NULL`),
    index('submission_fact_by_device').on(table.deviceRow, table.receivedAt).where(sql`device_row IS NOT NULL`),
    index('submission_fact_by_fingerprint')
      .on(table.accountRow, table.fingerprint, table.receivedAt)
      .where(sql`fingerprint IS NOT NULL`),
    index('submission_fact_by_page').on(table.pageSha256).where(sql`page_sha256 IS NOT NULL`),
    // Leads that go under their own name once an erasure leaves one free; mostly none.
    index('submission_fact_of_others').on(table.accountRow, table.leadDay).where(sql.raw(isOfOthers)),
  ],
)

/** Refused submissions that were not released, by when they were received: an account may have 100,000. */
export const quarantineCount = table(
  'quarantine_count',
  { is: 'derived', of: 'account', move: 'copied' },
  {
    accountRow: integer('account_row').notNull(),
    /** Quarter hours since the Unix epoch. */
    quarterHour: integer('quarter_hour').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountRow, table.quarterHour] })],
)

/** A click with its present verdict; the evidence of its arrival stays in the ledger. */
export const clickFact = table(
  'click_fact',
  { is: 'derived', of: 'account', move: 'copied', perEntry: ['sequence'], erasedText: 'url' },
  {
    sequence: integer('sequence').primaryKey(),
    accountRow: integer('account_row').notNull(),
    deviceRow: integer('device_row').notNull(),
    receivedAt: integer('received_at').notNull(),
    day: integer('day').notNull(),
    /** As figures have it; '' if the link names none. */
    message: text('message').notNull(),
    recipient: text('recipient'),
    url: text('url').notNull(),
    /** The group within which clicks make a burst: a hash, as personal as the address it may be made from. */
    burstGroup: text('burst_group').notNull(),
    /** Hash of the user agent. */
    agent: text('agent').notNull(),
    verdict: text('verdict').$type<'human' | 'suspected' | 'machine'>().notNull(),
    reasons: json<string[]>('reasons').notNull(),
    /** When the device next loaded a page or sent an event, epoch milliseconds. */
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
export const visitorDay = table(
  'visitor_day',
  { is: 'derived', of: 'device', move: 'copied', isWithoutRowId: true },
  {
    deviceRow: integer('device_row').notNull(),
    day: integer('day').notNull(),
    /** What began its latest visit then, as counted; `null` on its latest day, whose visit the device knows. */
    channel: json<Channel>('channel'),
  },
  (table) => [primaryKey({ columns: [table.deviceRow, table.day] })],
)

/** Entries that did what goals, funnels or splits count, so that an erasure can take it back. Accounts without them have none. */
export const goalEntry = table(
  'goal_entry',
  { is: 'derived', of: 'account', move: 'copied', perEntry: ['sequence'] },
  {
    /** Of the ledger. */
    sequence: integer('sequence').primaryKey(),
    accountRow: integer('account_row').notNull(),
    /** `null`: the entry names none. */
    deviceRow: integer('device_row'),
    /** Days since 1970 in the account's time zone, as it was counted. */
    day: integer('day').notNull(),
    /** What it did: keys of goals and of steps of funnels (account/goal.ts), versions of a page (`versionTarget`). */
    targets: json<string[]>('targets').notNull(),
    /** When its visit began, epoch milliseconds; `null`: it was in none. */
    visitAt: integer('visit_at'),
    /** Those of them that it was the first of its visit to do. */
    counted: json<string[]>('counted').notNull(),
  },
  (table) => [
    index('goal_entry_counted').on(table.deviceRow, table.visitAt).where(sql.raw(isCountedInVisit)),
    index('goal_entry_by_account').on(table.accountRow),
  ],
)

/** The roll-ups: an account's figures by day. They outlive the records they count (docs/reports.md). */
export const dayFigure = table(
  'day_figure',
  { is: 'derived', of: 'account', move: 'copied', isWithoutRowId: true, alike: 'count <> 0' },
  {
    accountRow: integer('account_row').notNull(),
    /** Days since 1970 in the account's time zone. */
    day: integer('day').notNull(),
    /** One of `measures` in processing/figures. */
    measure: text('measure').notNull(),
    /** What the measure is split by: a form's id, a source, a message; '' if it is not split. */
    name: text('name').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountRow, table.day, table.measure, table.name] })],
)

/**
 * The figures of each month together, so that a long report reads a row for a month instead of thousands. A month has a row
 * from its first figure on; its figures are added up when it is over, and again after they change.
 */
export const monthFigure = table(
  'month_figure',
  // Each node adds up when it has nothing else to do.
  { is: 'derived', of: 'account', move: 'copied', alike: 'never' },
  {
    accountRow: integer('account_row').notNull(),
    /** Of the month; days since 1970 in the account's time zone. */
    firstDay: integer('first_day').notNull(),
    /** See month-sums.ts; `null`: not added up. */
    sums: text('sums'),
  },
  (table) => [
    primaryKey({ columns: [table.accountRow, table.firstDay] }),
    // The thread that commits looks for months to add up whenever it has nothing else to do.
    index('month_figure_waiting').on(table.firstDay).where(sql`sums IS NULL`),
  ],
)
