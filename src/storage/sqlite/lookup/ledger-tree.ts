/** Reads a table without its indexes. */
export const byRow = (table: string): string => `${table} NOT INDEXED`

/**
 * Reads the ledger through one tree of pages only, whatever SQLite would choose: where a page of one tree is damaged,
 * another may still say what was there.
 */
export const ledgerBy = {
  table: byRow('ledger'),
  account: 'ledger INDEXED BY ledger_by_account',
  submissionId: 'ledger INDEXED BY ledger_submission_by_id',
} as const

/** Finds released submissions by their own index: SQLite would look through the whole quarantine for them. */
export const releasedSubmissions = 'submission_fact fact INDEXED BY submission_fact_released'

/** Finds when visits began by their own index: SQLite would read through what happened since. */
export const visitBeginnings = 'device_entry INDEXED BY device_entry_of_visits'

/**
 * An expression for a field of a ledger row's record; `NULL` if it is missing or the record is no longer JSON. Without
 * the check, one damaged record would fail the whole statement.
 */
export const recordField = (name: string): string => `CASE WHEN json_valid(record) THEN record ->> '$.${name}' END`
