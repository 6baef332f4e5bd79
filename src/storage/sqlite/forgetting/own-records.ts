import type { Connection } from '../database/connection.ts'
import { intervalsJson, ownershipOf } from '../persons/intervals.ts'

/** Where an entry stands in the ledger, and its kind (`entryKinds` in ledger-codec.ts). */
export interface FoundRecord {
  sequence: number
  kind: number
}

/**
 * All that is a person's by their devices and submissions: what their devices recorded while they had them, but for
 * submissions that name somebody else, and the submissions that name them, from whatever device.
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

/** Clicks on links that were signed for one of the recipients. */
export const clicksOfRecipients = ({ raw }: Connection, accountRow: number, recipients: string[]): FoundRecord[] =>
  raw
    .query<FoundRecord, [number, string]>(
      `SELECT sequence, 4 AS kind FROM json_each(?2) asked
       CROSS JOIN click_fact ON account_row = ?1 AND recipient IS NOT NULL AND recipient = asked.value`,
    )
    .all(accountRow, JSON.stringify(recipients))

/** What devices recorded in intervals (`?1`, as `intervalsJson` writes them); ids decide within the millisecond of a tie. */
export const entriesHeld = `
  FROM json_each(?1) held
  CROSS JOIN device_entry entry ON entry.device_row = held.value ->> 0
    AND entry.received_at BETWEEN held.value ->> 1 AND held.value ->> 3
  WHERE (entry.received_at > held.value ->> 1
      OR (SELECT id FROM ledger WHERE sequence = entry.sequence) >= held.value ->> 2)
    AND (entry.received_at < held.value ->> 3
      OR (SELECT id FROM ledger WHERE sequence = entry.sequence) < held.value ->> 4)`

/** A submission that names nobody, or cannot be read any more, is whose its device was, unless it is known as another's. */
const ownRecordsQuery = `
  SELECT entry.sequence, entry.kind ${entriesHeld}
    AND (entry.kind <> 1
      OR coalesce(
        (SELECT CASE WHEN json_valid(record) THEN record ->> '$.email' END FROM ledger WHERE sequence = entry.sequence) = ?3,
        NOT EXISTS (SELECT 1 FROM submission_fact fact WHERE fact.sequence = entry.sequence AND fact.person_row <> ?2)))
  UNION
  SELECT sequence, 1 FROM submission_fact WHERE person_row = ?2`
