import { foreignKey, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AssetKind, AssetState, AssetVariant } from '../../../asset/asset.ts'
import { account } from './account-schema.ts'
import { table } from './table.ts'

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
