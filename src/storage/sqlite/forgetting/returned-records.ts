import type { ReturnedRecords } from '../../../operations/doctor/inspection.ts'
import type { Connection } from '../database/connection.ts'

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
