import type { ReturnedRecords } from '../../../operations/doctor/inspection.ts'
import type { Connection } from '../database/connection.ts'
import { capturedKinds } from '../ledger/ledger-codec.ts'
import { erasuresOf } from './erasure-entries.ts'

interface AccountRow {
  row: number
  id: string
  handle: string
}

/** Works on a read-only connection. Goes through the records of accounts in which somebody was erased. */
export function returnedRecords({ raw }: Pick<Connection, 'raw'>): ReturnedRecords[] {
  const accounts = raw.query<AccountRow, []>('SELECT row, id, handle FROM account ORDER BY handle').all()
  const returned = raw.query<{ count: number }, [number, string]>(
    `SELECT count(*) AS count FROM ledger
     WHERE account_row = ? AND kind IN (${capturedKinds}) AND id IN (SELECT value FROM json_each(?))`,
  )
  return accounts.flatMap((account) => {
    const ids = erasuresOf(raw, account).flatMap(({ records }) => records)
    const count = ids.length === 0 ? 0 : (returned.get(account.row, JSON.stringify(ids))?.count ?? 0)
    return count === 0 ? [] : [{ handle: account.handle, count }]
  })
}
