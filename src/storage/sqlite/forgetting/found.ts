import type { ErasureQuery } from '../../../processing/erasure.ts'
import type { Connection } from '../database/connection.ts'
import type { Interval } from '../persons/intervals.ts'
import { emailMark } from '../processing/email-mark.ts'
import { processedTo } from '../processing/processed-to.ts'
import { clicksOfRecipients, type FoundRecord, ownRecords } from './own-records.ts'

/** Everything that belongs to a person by their devices, submissions and links. */
export interface Found {
  personRow: number | null
  records: FoundRecord[]
  /** When they had which device. */
  intervals: Interval[]
  /** Devices that were theirs at some time. */
  deviceRows: number[]
  /** The ledger sequence up to which records were examined. */
  processedTo: number
}

export function foundOf(connection: Connection, { email, recipients }: ErasureQuery, accountRow: number): Found {
  const examinedTo = processedTo(connection)
  const clicks = clicksOfRecipients(connection, accountRow, recipients)
  const personRow = personByEmail(connection, accountRow, email)?.row ?? null
  if (personRow === null) return { personRow, records: clicks, intervals: [], deviceRows: [], processedTo: examinedTo }
  const own = ownRecords(connection, { personRow, email })
  return { personRow, ...own, records: [...own.records, ...clicks], processedTo: examinedTo }
}

export const personByEmail = (
  { raw }: Connection,
  accountRow: number,
  email: string,
): { row: number; id: string } | null =>
  raw
    .query<{ row: number; id: string }, [number, number, string]>(
      'SELECT row, id FROM person WHERE account_row = ? AND email_mark = ? AND email = ?',
    )
    .get(accountRow, emailMark(email), email)
