import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, text } from 'drizzle-orm/sqlite-core'
import type { WriteBatch } from '../../../capture/write-batch.ts'
import { json, table } from './table.ts'

// Where a folder is in its cluster. A single box has no rows here.

/** One row, in a cluster. */
export const clusterPosition = table(
  'cluster_position',
  { is: 'node', of: 'box', move: 'stays' },
  {
    id: integer('id').primaryKey(),
    cluster: text('cluster').notNull(),
    /** The last link that the folder contains; `null`: none yet. */
    number: integer('number'),
    link: text('link'),
    /** The id of the link that was sent last without a known answer. */
    proposed: text('proposed'),
    /** Entries up to this sequence are in links. */
    linkedTo: integer('linked_to').notNull(),
    /** How far the entries of the link go that was made last; `null`: it contains nothing. */
    madeTo: integer('made_to'),
    /** Whether it led, and then followed, with something that is in no link. */
    isApart: integer('is_apart', { mode: 'boolean' }).notNull().default(false),
    /** Of the lease under which it led last; `null`: it never did, or gave the lease back. */
    run: text('run'),
    /** Something that no link carries: it has `changed`, or is in the base that was `proposed` last; `null`: there is nothing. */
    unlinkable: text('unlinkable', { enum: ['changed', 'proposed'] }),
  },
  (table) => [check('cluster_position_is_one_row', sql`${table.id} = 1`)],
)

const mark = () => ({ name: text('name').notNull(), row: integer('row').notNull() })

/** Rows of other tables that were written and are in no link yet, by SQLite's row numbers. Triggers write it (lookup/marks.ts). */
export const clusterChanged = table(
  'cluster_changed',
  { is: 'node', of: 'box', move: 'stays', isWithoutRowId: true },
  mark(),
  (table) => [primaryKey({ columns: [table.name, table.row] })],
)

/** Those that the link made last contains. */
export const clusterSent = table(
  'cluster_sent',
  { is: 'node', of: 'box', move: 'stays', isWithoutRowId: true },
  mark(),
  (table) => [primaryKey({ columns: [table.name, table.row] })],
)

/** What the leader removed and no entry of the ledger names, for a day: followers remove it too. */
export const linkedRemoval = table(
  'linked_removal',
  { is: 'node', of: 'box', move: 'stays', isLinked: true },
  {
    row: integer('row').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    /** It goes into a link no earlier than the entries up to here, those of its erasure; `null`: no link was made since. */
    toSequence: integer('to_sequence'),
    /** Ledger sequences. */
    expired: json<number[]>('expired'),
    /** An erased person's account, by its row, and id. */
    person: json<[accountRow: number, id: string]>('person'),
  },
)

/** Batches of the intake that this folder contains, for as long as one may come again. */
export const intakeTaken = table(
  'intake_taken',
  { is: 'node', of: 'box', move: 'stays', isWithoutRowId: true },
  {
    batch: text('batch').primaryKey(),
    /** The link that the folder had come to by then; 0: none. */
    atLink: integer('at_link').notNull(),
    /** The ledger ended here before the batch, and those that were committed with it. */
    firstSequence: integer('first_sequence').notNull(),
    /** The ledger ended here when the batch was in it. */
    lastSequence: integer('last_sequence').notNull(),
    /** Refusals and missing addresses that the batch counts, until its entries are processed; `null`: none, or counted. */
    counts: json<Pick<WriteBatch, 'refusals' | 'missing'>[]>('counts'),
    /** Whether the link made last contains it. */
    isMade: integer('is_made', { mode: 'boolean' }).notNull().default(false),
    isLinked: integer('is_linked', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [index('intake_taken_unlinked').on(table.lastSequence).where(sql`NOT is_linked`)],
)
