import type { Connection } from '../database/connection.ts'
import { personByEmail } from '../forgetting/found.ts'
import { ownRecords } from '../forgetting/own-records.ts'
import { storedAccountRow } from '../lookup/account-row.ts'

/** Names of the destinations that were or may have been sent something of the person. */
export function notifiedDestinations(
  connection: Connection,
  { accountId, email }: { accountId: string; email: string },
): string[] {
  const { raw } = connection
  const accountRow = storedAccountRow(connection, accountId)
  const person = accountRow === null ? null : personByEmail(connection, accountRow, email)
  if (person === null) return []
  const { records } = ownRecords(connection, { personRow: person.row, email })
  return raw
    .query<{ name: string }, [string]>(
      `SELECT DISTINCT name FROM delivery JOIN destination ON destination.row = delivery.destination_row
       WHERE sequence IN (SELECT value FROM json_each(?)) AND tried_at IS NOT NULL ORDER BY name`,
    )
    .all(JSON.stringify(records.map(({ sequence }) => sequence)))
    .map(({ name }) => name)
}
