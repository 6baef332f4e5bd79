import { sql } from 'drizzle-orm'
import {
  blob,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { AccountSettings } from '../../account/account.ts'
import type { Form } from '../../account/form.ts'
import type { SigningPurpose } from '../../account/signing-key.ts'
import type { AssetKind, AssetState, AssetVariant } from '../../asset/asset.ts'

/** One row: what is true of the box as a whole. */
export const box = sqliteTable(
  'box',
  {
    id: integer('id').primaryKey(),
    /** Rises with every change to what a running server holds in memory; the server watches it. */
    revision: integer('revision').notNull(),
  },
  (table) => [check('box_is_one_row', sql`${table.id} = 1`)],
)

export const account = sqliteTable('account', {
  row: integer('row').primaryKey(),
  id: text('id').notNull().unique(),
  handle: text('handle').notNull().unique(),
  settings: text('settings', { mode: 'json' }).$type<AccountSettings>().notNull(),
  /** The site revision that visitors see: raising it publishes everything staged for it at once. */
  siteRevision: integer('site_revision').notNull(),
  /** The box revision of its last change. */
  changedAtRevision: integer('changed_at_revision').notNull(),
  createdAt: integer('created_at').notNull(),
  /** Set when removal began: invisible from then on, while its rows go in small steps. */
  removedAt: integer('removed_at'),
})

export const domain = sqliteTable(
  'domain',
  {
    host: text('host').primaryKey(),
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
  },
  (table) => [index('domain_by_account').on(table.accountRow)],
)

/** Every version of every form: a submission names the one it met. */
export const form = sqliteTable(
  'form',
  {
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    definition: text('definition', { mode: 'json' }).$type<Omit<Form, 'id' | 'version'>>().notNull(),
    /** A withdrawn form is answered as one that never was; its versions stay for the submissions that name them. */
    withdrawn: integer('withdrawn', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountRow, table.id, table.version] })],
)

/** A revoked key keeps its row with the fingerprint cleared (spec, States). */
export const trackingKey = sqliteTable(
  'tracking_key',
  {
    row: integer('row').primaryKey(),
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    fingerprint: text('fingerprint'),
    createdAt: integer('created_at').notNull(),
    validUntil: integer('valid_until'),
    revokedAt: integer('revoked_at'),
  },
  (table) => [index('tracking_key_by_account').on(table.accountRow)],
)

export const signingKey = sqliteTable('signing_key', {
  id: text('id').primaryKey(),
  purpose: text('purpose').$type<SigningPurpose>().notNull(),
  secret: blob('secret', { mode: 'buffer' }).notNull(),
  createdAt: integer('created_at').notNull(),
  /** `null`: the current key of its purpose. */
  verifiesUntil: integer('verifies_until'),
})

export const asset = sqliteTable(
  'asset',
  {
    id: text('id').primaryKey(),
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    kind: text('kind').$type<AssetKind>().notNull(),
    name: text('name').notNull(),
  },
  (table) => [uniqueIndex('asset_by_name').on(table.accountRow, table.kind, table.name)],
)

/**
 * A version is what visitors of the site revisions [fromRevision, toRevision) see. Rows for a revision that is not
 * published yet are invisible, so that a large site is staged in small transactions and published by one short one.
 */
export const assetVersion = sqliteTable(
  'asset_version',
  {
    assetId: text('asset_id').notNull(),
    number: integer('number').notNull(),
    accountRow: integer('account_row').notNull(),
    sha256: text('sha256').notNull(),
    byteCount: integer('byte_count').notNull(),
    variants: text('variants', { mode: 'json' }).$type<AssetVariant[]>().notNull(),
    state: text('state').$type<AssetState>().notNull(),
    publishedAt: integer('published_at').notNull(),
    publishedBy: text('published_by').$type<'apply' | 'hand'>().notNull(),
    fromRevision: integer('from_revision').notNull(),
    toRevision: integer('to_revision'),
    supersededAt: integer('superseded_at'),
  },
  (table) => [
    primaryKey({ columns: [table.assetId, table.number] }),
    foreignKey({ columns: [table.assetId], foreignColumns: [asset.id] }),
    index('asset_version_by_account').on(table.accountRow, table.fromRevision),
    index('asset_version_by_hash').on(table.sha256),
  ],
)

/** What was captured, in order of commit: `sequence` is the cursor, and is never used twice (AUTOINCREMENT). */
export const ledger = sqliteTable(
  'ledger',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    accountRow: integer('account_row').notNull(),
    /** See `entryKinds` in ledger-codec.ts. */
    kind: integer('kind').notNull(),
    id: text('id').notNull(),
    receivedAt: integer('received_at').notNull(),
    /** The entry as JSON, less what the columns hold. */
    record: text('record').notNull(),
    /** See ledger-checksum.ts; `null`: stored before there were checksums. */
    checksum: integer('checksum'),
  },
  (table) => [
    index('ledger_by_account').on(table.accountRow, table.kind, table.sequence),
    // Submissions are looked up by id; events never are, and an index would cost each of them a write.
    uniqueIndex('ledger_submission_by_id').on(table.accountRow, table.id).where(sql`kind = 1`),
  ],
)

/** With which entry each hour of receipt begins, so that reading from an instant on passes over what is older. */
export const receiptHour = sqliteTable('receipt_hour', {
  /** Epoch hours. */
  hour: integer('hour').primaryKey(),
  /** The lowest of all entries received in that hour. */
  firstSequence: integer('first_sequence').notNull(),
})

/** Refused requests and lost records, counted by hour so that `refusals --since` can look back. */
export const refusalCount = sqliteTable(
  'refusal_count',
  {
    accountRow: integer('account_row').notNull(),
    /** Epoch hours. */
    hour: integer('hour').notNull(),
    endpoint: text('endpoint').notNull(),
    check: text('check').notNull(),
    /** The posting origin, '' when there was none, '*' for those beyond the limit of names kept. */
    origin: text('origin').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.accountRow, table.hour, table.endpoint, table.check, table.origin],
    }),
  ],
)

/** Self-hosted bot challenges that were used up, until they would have expired anyway. */
export const spentChallenge = sqliteTable(
  'spent_challenge',
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
