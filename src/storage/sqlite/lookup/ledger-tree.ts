/** A table by its rows alone, and by none of its indexes. */
export const byRow = (table: string): string => `${table} NOT INDEXED`

/**
 * The ledger by one tree of its pages alone, whatever SQLite would choose: where a page of one is damaged, another one may tell
 * what lay there.
 */
export const ledgerBy = {
  table: byRow('ledger'),
  account: 'ledger INDEXED BY ledger_by_account',
  submissionId: 'ledger INDEXED BY ledger_submission_by_id',
} as const
