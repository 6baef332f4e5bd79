import type { Receipt } from '../../../processing/receipt.ts'
import type { Connection } from '../database/connection.ts'

/** What tells whose a record is. */
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
 * What a record that cannot be read any more still says: as whose it was processed before it broke, or what stands in its
 * text where `encodeEntries` puts it. With neither, it is nobody's.
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

/** Ours, in front of what was sent: a field of the same name stands behind it. An address needs no escapes. */
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
