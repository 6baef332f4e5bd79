import type { ErasureQuery } from '../../../processing/erasure.ts'
import type { Connection } from '../database/connection.ts'
import { forEachKey, wholeKey } from '../lookup/many-keys.ts'
import { recordField } from '../lookup/record-field.ts'
import { entriesWithin, rowsWithin } from '../lookup/rows-within.ts'
import { emailMark } from '../processing/person-rows.ts'
import { processedTo } from '../processing/processed-to.ts'
import { type Interval, intervalsJson, ownershipOf } from './intervals.ts'

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
const clicksOfRecipients = ({ raw }: Connection, accountRow: number, recipients: string[]): FoundRecord[] =>
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

/**
 * A person's records, `?1` their intervals and `?2` their row: what their devices recorded in these, and submissions
 * that named them without a device.
 */
const ownEntries = `
  SELECT entry.sequence, entry.received_at, entry.kind
  ${entriesWithin}
    AND (entry.kind <> 1 OR EXISTS (
      SELECT 1 FROM submission_fact fact
      WHERE fact.sequence = entry.sequence AND (fact.status = 'accepted' OR fact.released_at IS NOT NULL)))
  UNION ALL
  SELECT sequence, received_at, 1
  FROM submission_fact
  WHERE person_row = ?2 AND device_row IS NULL AND (status = 'accepted' OR released_at IS NOT NULL)`

/** When the person was seen, and the number of their records. */
export const seenQuery = `
  SELECT min(received_at) AS firstSeenAt, max(received_at) AS lastSeenAt,
    count(*) FILTER (WHERE kind = 1) AS submissions, count(*) FILTER (WHERE kind <> 1) AS events
  FROM (${ownEntries})`

/** Positions in the ledger of their records of some kinds (`?3`, a JSON array of numbers). */
export const sequencesQuery = `
  SELECT sequence FROM (${ownEntries}) WHERE kind IN (SELECT value FROM json_each(?3)) ORDER BY sequence`

/** Traits that their devices stated without an address. */
export const deviceTraitsQuery = `
  SELECT received_at AS at, entry_id AS id, traits
  ${rowsWithin('device_traits')}`

const ownTouches = `
  SELECT received_at AS at, entry_id AS id, touch
  ${rowsWithin('touch')}`

/** First touch of their devices in the intervals, and the last one that is not direct. */
export const firstTouchQuery = `${ownTouches} ORDER BY received_at, entry_id LIMIT 1`
export const lastTouchQuery = `${ownTouches} WHERE is_direct = 0 ORDER BY received_at DESC, entry_id DESC LIMIT 1`

const earlierTouches = `
  SELECT received_at AS at, entry_id AS id, touch
  FROM touch
  WHERE device_row = ?1 AND (received_at, entry_id) < (?2, ?3)`

/** A device's last touch before a receipt that is not direct, and its first one. */
export const lastTouchBeforeQuery = `
  ${earlierTouches} AND is_direct = 0 ORDER BY received_at DESC, entry_id DESC LIMIT 1`
export const firstTouchBeforeQuery = `${earlierTouches} ORDER BY received_at, entry_id LIMIT 1`
