import { index, integer, text } from 'drizzle-orm/sqlite-core'
import type { NameState, ObservedName, OrderOutcome } from '../../../https/certificate-store.ts'
import { json, table } from './table.ts'

const ofItsDomains = 'host IN (SELECT host FROM source.domain WHERE account_row = :account)'

/** The state of each name that should have a certificate (mode `auto`). */
export const httpsName = table(
  'https_name',
  { is: 'state', of: 'box', move: 'apart', moves: ofItsDomains },
  {
    host: text('host').primaryKey(),
    state: text('state').$type<NameState>().notNull(),
    reason: text('reason').notNull(),
    observed: json<ObservedName>('observed').notNull(),
    nextTryAt: integer('next_try_at'),
    decidedAt: integer('decided_at').notNull(),
    looks: integer('looks').notNull().default(0),
    failures: integer('failures').notNull(),
    failingSince: integer('failing_since'),
    isTrial: integer('is_trial', { mode: 'boolean' }).notNull(),
    removedAt: integer('removed_at'),
  },
)

/** The latest certificate of each name. */
export const certificate = table(
  'certificate',
  {
    is: 'state',
    of: 'box',
    move: 'apart',
    moves: ofItsDomains,
    sealed: { row: 'host', columns: { key: 'text' } },
  },
  {
    host: text('host').primaryKey(),
    /** PEM, leaf first. */
    chain: text('chain').notNull(),
    /** PEM, sealed. */
    key: text('key').notNull(),
    issuer: text('issuer').notNull(),
    serial: text('serial').notNull(),
    notBefore: integer('not_before').notNull(),
    notAfter: integer('not_after').notNull(),
    renewAt: integer('renew_at').notNull(),
    /** The window that `renewAt` was drawn from; `null`: the authority suggests none. */
    windowStart: integer('window_start'),
    windowEnd: integer('window_end'),
    askAt: integer('ask_at').notNull(),
    directory: text('directory').notNull(),
  },
)

/** The box's account at each authority. */
export const acmeAccount = table(
  'acme_account',
  { is: 'state', of: 'box', move: 'stays', sealed: { row: 'directory', columns: { key: 'text' } } },
  {
    directory: text('directory').primaryKey(),
    /** PEM, sealed. */
    key: text('key').notNull(),
    url: text('url'),
  },
)

/** Orders of the last days, counted against the authorities' limits. */
export const certificateOrder = table(
  'certificate_order',
  { is: 'state', of: 'box', move: 'stays' },
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    host: text('host').notNull(),
    accountId: text('account_id').notNull(),
    registeredDomain: text('registered_domain').notNull(),
    directory: text('directory').notNull(),
    isAnnounced: integer('is_announced', { mode: 'boolean' }).notNull(),
    beganAt: integer('began_at').notNull(),
    outcome: text('outcome').$type<OrderOutcome>(),
  },
  (table) => [index('certificate_order_by_time').on(table.beganAt)],
)
