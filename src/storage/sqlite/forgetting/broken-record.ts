import type { Receipt } from '../../../processing/receipt.ts'
import type { Connection } from '../database/connection.ts'

/** What shows whose a record is. */
export interface RecordSubject {
  /** The address it was sent with, as `identityEmail` writes it; `null`: none. */
  identity: string | null
  deviceId: string | null
  receipt: Receipt
}

interface BrokenRow {
  sequence: number
  id: string
  receivedAt: number
  record: string
}

/**
 * What an unreadable record still says: whose it was when it was processed, or what its text contains where
 * `encodeEntries` puts it. With neither, it is nobody's.
 */
export function subjectOfBroken(
  connection: Connection,
  { sequence, id, receivedAt, record }: BrokenRow,
): RecordSubject {
  return {
    identity: processedAs(connection, sequence) ?? submissionIdentity.exec(record)?.[1] ?? null,
    deviceId: device.exec(record)?.[1] ?? null,
    receipt: { at: receivedAt, id },
  }
}

/** Our field precedes what was sent, which may contain a field of the same name. An address needs no escapes. */
const submissionIdentity = /"refusedFor":(?:null|"[a-z_]*"),"email":"([^"\\]+)"/
const device = /"deviceId":"([^"\\]+)"/

function processedAs({ raw }: Connection, sequence: number): string | null {
  const found = raw
    .query<{ email: string }, [number]>(
      `SELECT person.email FROM submission_fact JOIN person ON person.row = submission_fact.person_row
       WHERE submission_fact.sequence = ?`,
    )
    .get(sequence)
  return found?.email ?? null
}
