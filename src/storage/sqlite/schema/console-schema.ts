import { sql } from 'drizzle-orm'
import { blob, check, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Scope } from '../../../account/scope.ts'
import type { AccountRole } from '../../../console/access/caller.ts'
import type { AuditEntry } from '../../../console/audit/audit-log.ts'
import type { Proof } from '../../../console/session/session.ts'
import type { Invited } from '../../../console/user/user.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import type { TypedPeriod } from '../../../report/report-period.ts'
import { account } from './account-schema.ts'
import { json, table } from './table.ts'

/** Who may sign in to the console, and their credentials. */
export const consoleUser = table(
  'console_user',
  { is: 'state', of: 'box', move: 'stays', sealed: { row: 'id', columns: { totp_secret: 'bytes' } } },
  {
    id: text('id').primaryKey(),
    email: text('email').notNull().unique(),
    isOwner: integer('is_owner', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    lastSignInAt: integer('last_sign_in_at'),
    passwordHash: text('password_hash'),
    /** Sealed. */
    totpSecret: blob('totp_secret', { mode: 'buffer' }),
    totpLastStep: integer('totp_last_step').notNull().default(0),
    codeMisses: integer('code_misses').notNull().default(0),
    recoveryHashes: json<string[]>('recovery_hashes').notNull(),
  },
)

const userId = () =>
  text('user_id')
    .notNull()
    .references(() => consoleUser.id, { onDelete: 'cascade' })

export const consoleRole = table(
  'console_role',
  { is: 'state', of: 'account', move: 'stays' },
  {
    userId: userId(),
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row, { onDelete: 'cascade' }),
    role: text('role').$type<AccountRole>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.accountRow] }),
    index('console_role_by_account').on(table.accountRow),
  ],
)

/** Accounts whose clients see personal fields of submissions. On another box, somebody has to decide anew. */
export const shownPersonal = table(
  'shown_personal',
  { is: 'state', of: 'account', move: 'stays' },
  {
    accountRow: integer('account_row')
      .primaryKey()
      .references(() => account.row, { onDelete: 'cascade' }),
  },
)

export const passkey = table(
  'passkey',
  { is: 'state', of: 'box', move: 'stays' },
  {
    id: text('id').primaryKey(),
    userId: userId(),
    publicKey: blob('public_key', { mode: 'buffer' }).notNull(),
    counter: integer('counter').notNull(),
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('passkey_by_user').on(table.userId)],
)

/** Without a reference: what a removed user has made stays listed. */
const maker = () => ({ makerUserId: text('maker_user_id'), makerTokenId: text('maker_token_id') })

export const invitation = table(
  'invitation',
  { is: 'state', of: 'box', move: 'stays' },
  {
    hash: text('hash').primaryKey(),
    email: text('email').notNull(),
    invited: json<Invited>('invited').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
    ...maker(),
  },
  (table) => [index('invitation_by_email').on(table.email)],
)

export const consoleSession = table(
  'console_session',
  { is: 'state', of: 'box', move: 'stays' },
  {
    hash: text('hash').primaryKey(),
    id: text('id').notNull(),
    userId: userId(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
    provedAt: integer('proved_at').notNull(),
    provedBy: text('proved_by').$type<Proof>().notNull().default('password'),
    userAgent: text('user_agent').notNull(),
    address: text('address').notNull(),
  },
  (table) => [uniqueIndex('console_session_by_id').on(table.id), index('console_session_by_user').on(table.userId)],
)

export const apiToken = table(
  'api_token',
  { is: 'state', of: 'box', move: 'stays' },
  {
    hash: text('hash').primaryKey(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** `null`: the whole box. */
    accountId: text('account_id'),
    scopes: json<Scope[]>('scopes').notNull(),
    prefix: text('prefix').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    revokedAt: integer('revoked_at'),
    lastUsedAt: integer('last_used_at'),
    ...maker(),
  },
  (table) => [uniqueIndex('api_token_by_id').on(table.id)],
)

/** Public links to one report each. */
export const reportShare = table(
  'report_share',
  { is: 'state', of: 'account', move: 'stays' },
  {
    id: text('id').primaryKey(),
    accountRow: integer('account_row')
      .notNull()
      .references(() => account.row),
    /** As typed: `since: "30d"` counts from the day of the visit. */
    period: json<TypedPeriod>('period').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    revokedAt: integer('revoked_at'),
    makerTokenId: text('maker_token_id'),
  },
  (table) => [index('report_share_by_account').on(table.accountRow)],
)

/** Without a parameter, so that SQLite uses the index of such lines. */
export const isUndone = sql`outcome <> 'done'`

/** Rows are only added, and deleted by age: the oldest first. */
export const auditEntry = table(
  'audit_entry',
  { is: 'state', of: 'box', move: 'stays' },
  {
    id: text('id').primaryKey(),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').$type<AuditEntry['actor']['kind']>().notNull(),
    actorId: text('actor_id').notNull(),
    actorLabel: text('actor_label').notNull(),
    address: text('address').notNull(),
    action: text('action').$type<AuditEntry['action']>().notNull(),
    accountId: text('account_id'),
    subject: text('subject').notNull(),
    outcome: text('outcome').$type<AuditEntry['outcome']>().notNull(),
    before: json<JsonObject>('before'),
    after: json<JsonObject>('after'),
    /** From 1, without gaps. */
    seq: integer('seq').notNull(),
    /** Of this line and the hash before it (console/audit/audit-chain.ts). */
    hash: text('hash').notNull(),
  },
  (table) => [
    index('audit_entry_by_account').on(table.accountId, table.id),
    index('audit_entry_by_actor').on(table.actorLabel, table.id),
    index('audit_entry_undone').on(table.id).where(isUndone),
    uniqueIndex('audit_entry_by_seq').on(table.seq),
  ],
)

/** One row: where the chain of the audit log begins and ends. */
export const auditChain = table(
  'audit_chain',
  { is: 'state', of: 'box', move: 'stays' },
  {
    id: integer('id').primaryKey(),
    /** Of the last line that was deleted by age. */
    anchorSeq: integer('anchor_seq').notNull(),
    anchorHash: text('anchor_hash').notNull(),
    /** Of the last line that was written. */
    headSeq: integer('head_seq').notNull(),
    headHash: text('head_hash').notNull(),
  },
  (table) => [check('audit_chain_is_one_row', sql`${table.id} = 1`)],
)

/** The answers to calls with an `Idempotency-Key`. A call is repeated at the next leader too. */
export const idempotentAnswer = table(
  'idempotent_answer',
  { is: 'fleeting', of: 'box', move: 'stays', isLinked: true },
  {
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    begunAt: integer('begun_at').notNull(),
    /** `null`: the call is under way. */
    status: integer('status'),
    body: text('body'),
  },
  (table) => [primaryKey({ columns: [table.caller, table.key] }), index('idempotent_answer_by_time').on(table.begunAt)],
)
