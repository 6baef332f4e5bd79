import { sql } from 'drizzle-orm'
import { blob, check, index, integer, primaryKey, text } from 'drizzle-orm/sqlite-core'
import type { AccountSettings } from '../../../account/account.ts'
import type { Form } from '../../../account/form.ts'
import type { SigningPurpose } from '../../../account/signing-key.ts'
import { accountId, json, table } from './table.ts'

/** One row with the state of the whole box. */
export const box = table(
  'box',
  { is: 'state', of: 'box', move: 'stays' },
  {
    id: integer('id').primaryKey(),
    /** Rises with every change to what a running server caches; the server watches it. */
    revision: integer('revision').notNull(),
    /** The box's own id, by which backup targets know it; `null`: none yet. */
    uuid: text('uuid'),
    /** A known text, sealed: shows which key the secrets are sealed with; `null`: there are none yet. */
    sealProof: text('seal_proof'),
  },
  (table) => [check('box_is_one_row', sql`${table.id} = 1`)],
)

export const account = table(
  'account',
  {
    is: 'state',
    of: 'box',
    move: 'apart',
    moves: 'row = :account',
    sealed: { row: 'id', columns: { settings: { json: ['botCheck', 'secret'] } }, live: 'removed_at IS NULL' },
  },
  {
    row: integer('row').primaryKey(),
    id: text('id').notNull().unique(),
    handle: text('handle').notNull().unique(),
    settings: json<AccountSettings>('settings').notNull(),
    /** The site revision that visitors see. Raising it publishes everything staged for it at once. */
    siteRevision: integer('site_revision').notNull(),
    /** The box revision of its latest change. */
    changedAtRevision: integer('changed_at_revision').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When removal began: invisible from then on, while its rows are deleted in small steps. */
    removedAt: integer('removed_at'),
  },
)

export const domain = table(
  'domain',
  { is: 'state', of: 'account', move: 'apart' },
  {
    host: text('host').primaryKey(),
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
  },
  (table) => [index('domain_by_account').on(table.accountRow)],
)

/** Names that accounts let go (account/domain-claims.ts). A row outlives the account. */
export const reservedDomain = table(
  'reserved_domain',
  { is: 'state', of: 'box', move: 'stays' },
  {
    host: text('host').primaryKey(),
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    handle: text('handle').notNull(),
    droppedAt: integer('dropped_at').notNull(),
  },
  (table) => [index('reserved_domain_by_account').on(table.accountRow, table.droppedAt)],
)

/** Names below which an account's own users and tokens may connect any. The owners of each box decide on them. */
export const domainSuffix = table(
  'domain_suffix',
  { is: 'state', of: 'account', move: 'stays' },
  {
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    suffix: text('suffix').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountRow, table.suffix] })],
)

/** Every version of every form: a submission names the version it was sent with. */
export const form = table(
  'form',
  { is: 'state', of: 'account', move: 'copied' },
  {
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    definition: json<Omit<Form, 'id' | 'version'>>('definition').notNull(),
    /** A withdrawn form is answered like an unknown one; its versions stay for the submissions that name them. */
    withdrawn: integer('withdrawn', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountRow, table.id, table.version] })],
)

/** Since when an account's goals, funnels and splits are counted: they have no figures from before. */
export const goalSince = table(
  'goal_since',
  { is: 'state', of: 'account', move: 'copied' },
  {
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    /** `aimKey` or `funnelKey` of account/goal.ts, or `splitKey` of account/split.ts. */
    key: text('key').notNull(),
    since: integer('since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountRow, table.key] })],
)

/** A revoked key keeps its row with the fingerprint cleared (spec, States). */
export const trackingKey = table(
  'tracking_key',
  { is: 'state', of: 'account', move: 'copied', isRenumbered: true },
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

/** Signing keys of the box that an account was moved from: they verify older signatures, for this account alone. */
export const movedSigningKey = table(
  'moved_signing_key',
  {
    is: 'state',
    of: 'account',
    move: 'copied',
    sealed: { row: `${accountId('moved_signing_key')} || ' ' || id`, columns: { secret: 'bytes' } },
  },
  {
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    id: text('id').notNull(),
    purpose: text('purpose').$type<SigningPurpose>().notNull(),
    /** Sealed. */
    secret: blob('secret', { mode: 'buffer' }).notNull(),
    createdAt: integer('created_at').notNull(),
    verifiesUntil: integer('verifies_until'),
  },
  (table) => [primaryKey({ columns: [table.accountRow, table.id] })],
)

export const signingKey = table(
  'signing_key',
  {
    is: 'state',
    of: 'box',
    move: 'apart',
    moves: "purpose IN ('click', 'cookie', 'preview', 'reply')",
    sealed: { row: 'id', columns: { secret: 'bytes' } },
  },
  {
    id: text('id').primaryKey(),
    purpose: text('purpose').$type<SigningPurpose>().notNull(),
    /** Sealed. */
    secret: blob('secret', { mode: 'buffer' }).notNull(),
    createdAt: integer('created_at').notNull(),
    /** `null`: the current key of its purpose. */
    verifiesUntil: integer('verifies_until'),
  },
)
