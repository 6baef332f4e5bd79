import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Publisher } from '../../../account/publisher.ts'
import type { AssetState, AssetVariant } from '../../../asset/asset.ts'
import type { AssetKind } from '../../../asset/asset-kind.ts'
import type { PublicationOrigin } from '../../../site/publication-log.ts'
import { account } from './account-schema.ts'
import { consoleUser } from './console-schema.ts'
import { json, table } from './table.ts'

export const asset = table(
  'asset',
  { is: 'state', of: 'account', move: 'copied' },
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
 * What visitors of the site revisions [fromRevision, toRevision) see. Rows for an unpublished revision are invisible,
 * so that a large site is staged in small transactions and published by one short one.
 */
export const assetVersion = table(
  'asset_version',
  { is: 'state', of: 'account', move: 'copied' },
  {
    assetId: text('asset_id').notNull(),
    number: integer('number').notNull(),
    accountRow: integer('account_row').notNull(),
    sha256: text('sha256').notNull(),
    byteCount: integer('byte_count').notNull(),
    variants: json<AssetVariant[]>('variants').notNull(),
    state: text('state').$type<AssetState>().notNull(),
    liveFrom: integer('live_from'),
    liveUntil: integer('live_until'),
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

const accountRow = () =>
  integer('account_row')
    .notNull()
    .references(() => account.row)

/** The `site.toml` that each account was last published from, without secrets. */
export const keptFolder = table(
  'kept_folder',
  { is: 'state', of: 'account', move: 'copied' },
  {
    accountRow: integer('account_row')
      .primaryKey()
      .references(() => account.row),
    siteToml: text('site_toml').notNull(),
  },
)

/** The files of that folder, for the site revisions [fromRevision, toRevision), like versions of assets. */
export const keptFile = table(
  'kept_file',
  { is: 'state', of: 'account', move: 'copied' },
  {
    accountRow: accountRow(),
    path: text('path').notNull(),
    sha256: text('sha256').notNull(),
    byteCount: integer('byte_count').notNull(),
    fromRevision: integer('from_revision').notNull(),
    toRevision: integer('to_revision'),
  },
  (table) => [
    primaryKey({ columns: [table.accountRow, table.path, table.fromRevision] }),
    index('kept_file_by_start').on(table.accountRow, table.fromRevision),
    index('kept_file_by_end').on(table.accountRow, table.toRevision),
    index('kept_file_by_hash').on(table.sha256),
  ],
)

/** Who published what, and when. */
export const publication = table(
  'publication',
  { is: 'state', of: 'account', move: 'copied', isRenumbered: true },
  {
    row: integer('row').primaryKey(),
    accountRow: accountRow(),
    at: integer('at').notNull(),
    via: text('via').$type<Publisher['via']>().notNull(),
    by: text('by').notNull(),
    origin: text('origin').$type<PublicationOrigin>().notNull(),
    subjects: json<string[]>('subjects').notNull(),
    subjectCount: integer('subject_count').notNull(),
    keys: json<string[]>('keys'),
    receivers: json<string[]>('receivers'),
  },
  (table) => [
    index('publication_by_account').on(table.accountRow, table.row),
    index('publication_of_receivers').on(table.at).where(sql`receivers IS NOT NULL`),
  ],
)

/** Whom to mail about the new receivers of a publication. A row lasts until its mail is sent, or nobody wants it any more. */
export const receiverNotice = table(
  'receiver_notice',
  { is: 'state', of: 'publication', move: 'stays' },
  {
    publicationRow: integer('publication_row')
      .notNull()
      .references(() => publication.row, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => consoleUser.id, { onDelete: 'cascade' }),
    attempts: integer('attempts').notNull().default(0),
    nextAt: integer('next_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.publicationRow, table.userId] }),
    index('receiver_notice_by_user').on(table.userId),
    index('receiver_notice_due').on(table.nextAt),
  ],
)
