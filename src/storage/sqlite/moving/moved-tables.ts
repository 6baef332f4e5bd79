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

/** What an account's first move puts into a database of its own, parents before what refers to them. */
export const extractedTables: readonly MovedTable[] = [
  { name: 'account', where: 'row = :account' },
  { name: 'domain', where: ofAccount },
  { name: 'signing_key', where: "purpose IN ('click', 'cookie', 'preview', 'reply')" },
  { name: 'moved_signing_key', where: ofAccount },
  { name: 'ledger', where: `${ofAccount} AND ${processed}` },
  { name: 'asset', where: ofAccount },
  { name: 'asset_version', where: ofAccount },
  { name: 'form', where: ofAccount },
  { name: 'tracking_key', where: ofAccount, numbered: 'row' },
  { name: 'kept_folder', where: ofAccount },
  { name: 'kept_file', where: ofAccount },
  { name: 'publication', where: ofAccount, numbered: 'row' },
  { name: 'set_aside', where: ofAccount },
  { name: 'device', where: ofAccount },
  { name: 'device_entry', where: ofItsDevices },
  { name: 'device_tie', where: ofItsDevices },
  { name: 'device_traits', where: ofItsDevices },
  { name: 'touch', where: ofItsDevices },
  { name: 'visitor_day', where: ofItsDevices },
  { name: 'person', where: ofAccount },
  { name: 'submission_fact', where: ofAccount },
  { name: 'quarantine_count', where: ofAccount },
  { name: 'submission_state', where: ofAccount },
  { name: 'submission_note', where: ofAccount, numbered: 'row' },
  { name: 'click_fact', where: ofAccount },
  { name: 'goal_since', where: ofAccount },
  { name: 'goal_entry', where: ofAccount },
  { name: 'day_figure', where: ofAccount },
  { name: 'month_figure', where: ofAccount },
  { name: 'retention_state', where: ofAccount },
  { name: 'refusal_count', where: ofAccount },
  { name: 'spent_challenge', where: ofAccount },
  { name: 'destination', where: ofAccount },
  { name: 'delivery', where: `${ofAccount} AND ${settled}` },
  {
    name: 'delivery_attempt',
    where: `delivery_row IN (SELECT row FROM source.delivery WHERE ${ofAccount} AND ${settled})`,
  },
  {
    name: 'delivery_pace',
    where: `destination_row IN (SELECT row FROM source.destination WHERE ${ofAccount})`,
  },
  { name: 'certificate', where: ofItsDomains },
  { name: 'https_name', where: ofItsDomains },
]

/** What a later run takes: records and decisions since the instant `:since`. */
export const restTables: readonly MovedTable[] = [
  { name: 'account', where: 'row = :account' },
  { name: 'signing_key', where: "purpose IN ('click', 'cookie', 'preview', 'reply')" },
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
  // Users, tokens and their actions belong to the box's console; links to reports lead to its host.
  'console_user',
  'console_role',
  'passkey',
  'invitation',
  'console_session',
  'api_token',
  'audit_entry',
  'idempotent_answer',
  'report_share',
  'saved_filter',
  // Minutes old at most, hashed with a key of the box.
  'visitor_reply',
  // Work under way: accounts are moved when there is none.
  'stale_device',
  'stale_repeat',
  'stale_burst',
  'delivered_elsewhere',
]
