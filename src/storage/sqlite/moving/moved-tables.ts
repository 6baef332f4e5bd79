/** A table whose rows move with an account. */
export interface MovedTable {
  name: string
  /** Selects the account's rows; `:account` is its row number. */
  where: string
  /** A column that the receiving box numbers itself. */
  numbered?: string
}

const ofAccount = 'account_row = :account'
const ofItsDevices = 'device_row IN (SELECT row FROM source.device WHERE account_row = :account)'
const ofItsDomains = 'host IN (SELECT host FROM source.domain WHERE account_row = :account)'
/** Waiting deliveries are sent by the box that captured them. */
const settled = "state <> 'waiting'"
/** Entries that are not processed yet come later (`account move --since`). */
const processed = 'sequence <= (SELECT cursor FROM source.processing)'

/** Rows of these tables that a condition selects. */
const all = (where: string, ...names: string[]): MovedTable[] => names.map((name) => ({ name, where }))
const movingKeys = "purpose IN ('click', 'cookie', 'preview', 'reply')"

/** What an account's first move puts into a database of its own, parents before what refers to them. */
export const extractedTables: readonly MovedTable[] = [
  { name: 'account', where: 'row = :account' },
  { name: 'signing_key', where: movingKeys },
  { name: 'ledger', where: `${ofAccount} AND ${processed}` },
  ...all(ofAccount, 'domain', 'moved_signing_key', 'asset', 'asset_version', 'form', 'kept_folder', 'kept_file'),
  ...all(ofAccount, 'set_aside', 'device', 'person', 'submission_fact', 'submission_state', 'click_fact'),
  ...all(ofAccount, 'goal_since', 'goal_entry', 'day_figure', 'month_figure', 'quarantine_count'),
  ...all(ofAccount, 'retention_state', 'refusal_count', 'spent_challenge', 'destination'),
  { name: 'tracking_key', where: ofAccount, numbered: 'row' },
  { name: 'publication', where: ofAccount, numbered: 'row' },
  { name: 'submission_note', where: ofAccount, numbered: 'row' },
  ...all(ofItsDevices, 'device_entry', 'device_tie', 'device_traits', 'touch', 'visitor_day'),
  { name: 'delivery', where: `${ofAccount} AND ${settled}` },
  {
    name: 'delivery_attempt',
    where: `delivery_row IN (SELECT row FROM source.delivery WHERE ${ofAccount} AND ${settled})`,
  },
  {
    name: 'delivery_pace',
    where: `destination_row IN (SELECT row FROM source.destination WHERE ${ofAccount})`,
  },
  ...all(ofItsDomains, 'certificate', 'https_name'),
]

/** What a later run takes: records and decisions since the instant `:since`. */
export const restTables: readonly MovedTable[] = [
  { name: 'account', where: 'row = :account' },
  { name: 'signing_key', where: movingKeys },
  { name: 'moved_signing_key', where: ofAccount },
  { name: 'ledger', where: `${ofAccount} AND received_at >= :since` },
]

/** Written by the transaction that makes the account visible or, like the ledger, by a rule of their own. */
const apart: ReadonlySet<string> = new Set(['account', 'domain', 'signing_key', 'ledger', 'certificate', 'https_name'])

/** What the receiving box takes over unchanged, apart from row numbers. */
export const copiedTables: readonly MovedTable[] = extractedTables.filter(({ name }) => !apart.has(name))

/** What does not belong to the account, or means nothing on another box. */
export const stayingTables: readonly string[] = [
  // Of the box.
  'box',
  'processing',
  'receipt_hour',
  'clock_seen',
  'acme_account',
  'certificate_order',
  // The owners of a box decide which names its accounts may connect.
  'reserved_domain',
  'domain_suffix',
  // Users, tokens and their actions belong to the box's console; links to reports lead to its host.
  'console_user',
  'console_role',
  'passkey',
  'receiver_notice',
  'invitation',
  'console_session',
  'api_token',
  'audit_entry',
  'audit_chain',
  'idempotent_answer',
  'report_share',
  'saved_filter',
  // Minutes old at most, hashed with a key of the box.
  'visitor_reply',
  // Work under way: accounts are moved when there is none.
  'stale_device',
  'stale_repeat',
  'stale_burst',
  'stale_day',
  'erased_time',
  'delivered_elsewhere',
]
