import type { Connection } from '../database/connection.ts'
import { forEachKey, wholeKey } from '../lookup/many-keys.ts'
import { recordField } from '../lookup/record-field.ts'
import { entriesWithin } from '../lookup/rows-within.ts'
import { intervalsJson, ownershipOf } from '../persons/intervals.ts'

/** An entry's position in the ledger, and its kind (`entryKinds` in ledger-codec.ts). */
export interface FoundRecord {
  sequence: number
  kind: number
}

/**
 * Everything that is a person's by their devices and submissions: what their devices recorded while they had them,
 * except submissions that name somebody else; and submissions that name them, from any device.
 */
export function ownRecords(connection: Connection, { personRow, email }: { personRow: number; email: string }) {
  return connection.db.transaction(() => {
    const { intervals } = ownershipOf(connection, personRow)
    const records = connection.raw
      .query<FoundRecord, [string, number, string]>(ownRecordsQuery)
      .all(intervalsJson(intervals), personRow, email)
    return { records, intervals, deviceRows: [...new Set(intervals.map(({ deviceRow }) => deviceRow))] }
  })
}

/** Clicks on links signed for one of the recipients. */
export const clicksOfRecipients = ({ raw }: Connection, accountRow: number, recipients: string[]): FoundRecord[] =>
  raw
    .query<FoundRecord, [string, number]>(
      `SELECT sequence, 4 AS kind
       ${forEachKey('click_fact')} ON account_row = ?2 AND recipient IS NOT NULL AND recipient = ${wholeKey}`,
    )
    .all(JSON.stringify(recipients), accountRow)

/**
 * A submission that names nobody or is unreadable belongs to the device's owner, unless it is known to be another's.
 */
const ownRecordsQuery = `
  SELECT entry.sequence, entry.kind ${entriesWithin}
    AND (entry.kind <> 1
      OR coalesce(
        (SELECT ${recordField('email')} FROM ledger WHERE sequence = entry.sequence) = ?3,
        NOT EXISTS (SELECT 1 FROM submission_fact fact WHERE fact.sequence = entry.sequence AND fact.person_row <> ?2)))
  UNION
  SELECT sequence, 1 FROM submission_fact WHERE person_row = ?2`
