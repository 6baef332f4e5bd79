import type { Connection } from '../connection.ts'

/** Records of an account that had been erased, and are in the ledger again since an older backup was restored. */
export interface ReturnedRecords {
  handle: string
  count: number
}

/** Works on a connection that only reads. */
export function returnedRecords({ raw }: Pick<Connection, 'raw'>): ReturnedRecords[] {
  return raw
    .query<ReturnedRecords, []>(
      `SELECT account.handle, count(DISTINCT ledger.sequence) AS count FROM erased_record
       JOIN ledger ON ledger.sequence = erased_record.sequence AND ledger.id = erased_record.record_id
       JOIN account ON account.row = ledger.account_row
       GROUP BY account.row ORDER BY account.handle`,
    )
    .all()
}
