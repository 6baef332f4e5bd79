import type { ErasureQuery } from '../../../processing/erasure.ts'
import type { Receipt } from '../../../processing/ledger-item.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/ledger-tree.ts'
import { entriesWithin, forEachKey, rowsWithin, wholeKey } from '../lookup/many-keys.ts'
import { emailMark } from '../processing/person-rows.ts'
import { processedTo } from '../processing/processed-to.ts'

/** Everything that belongs to a person by their devices, submissions and links. */
export interface Found {
  personRow: number | null
  records: FoundRecord[]
  intervals: Interval[]
  /** Devices that were theirs at some time. */
  deviceRows: number[]
  /** The ledger sequence up to which records were examined. */
  processedTo: number
}

export function foundOf(
  connection: Connection,
  { email, recipients }: Pick<ErasureQuery, 'recipients'> & { email: string },
  accountRow: number,
): Found {
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
      `SELECT sequence, ${entryKinds.click} AS kind
       ${forEachKey('click_fact')} ON account_row = ?2 AND recipient IS NOT NULL AND recipient = ${wholeKey}`,
    )
    .all(JSON.stringify(recipients), accountRow)

/**
 * A submission that names nobody or is unreadable belongs to the device's owner, unless it is known to be another's.
 */
const ownRecordsQuery = `
  SELECT entry.sequence, entry.kind ${entriesWithin}
    AND (entry.kind <> ${entryKinds.submission}
      OR coalesce(
        (SELECT ${recordField('email')} FROM ledger WHERE sequence = entry.sequence) = ?3,
        NOT EXISTS (SELECT 1 FROM submission_fact fact WHERE fact.sequence = entry.sequence AND fact.person_row <> ?2)))
  UNION
  SELECT sequence, ${entryKinds.submission} FROM submission_fact WHERE person_row = ?2`

/**
 * A person's records, `?1` their intervals and `?2` their row: what their devices recorded in these, and submissions
 * that named them without a device.
 */
const ownEntries = `
  SELECT entry.sequence, entry.received_at, entry.kind
  ${entriesWithin}
    AND (entry.kind <> ${entryKinds.submission} OR EXISTS (
      SELECT 1 FROM submission_fact fact
      WHERE fact.sequence = entry.sequence AND (fact.status = 'accepted' OR fact.released_at IS NOT NULL)))
  UNION ALL
  SELECT sequence, received_at, ${entryKinds.submission}
  FROM submission_fact
  WHERE person_row = ?2 AND device_row IS NULL AND (status = 'accepted' OR released_at IS NOT NULL)`

/** When the person was seen, and the number of their records. */
export const seenQuery = `
  SELECT min(received_at) AS firstSeenAt, max(received_at) AS lastSeenAt,
    count(*) FILTER (WHERE kind = ${entryKinds.submission}) AS submissions,
    count(*) FILTER (WHERE kind <> ${entryKinds.submission}) AS events
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

/** From one tie of a device until it is tied to somebody else: what it records in between is the person's. */
export interface Interval {
  deviceRow: number
  /** `null`: from the beginning, since nobody had the device before. */
  from: Receipt | null
  /** Exclusive; `null`: to this day. */
  until: Receipt | null
}

/** When the person had which device, in the order of ties. */
interface Ownership {
  intervals: Interval[]
  deviceIds: string[]
}

/** Reads the person's own ties by index, whoever else the devices were tied to: a device may have named thousands. */
export function ownershipOf({ raw }: Connection, personRow: number): Ownership {
  const intervals: Interval[] = []
  const devices: { id: string; tied: Receipt }[] = []
  let deviceRow = -1
  for (const tie of raw.query<OwnTieRow & { deviceId: string }, [number]>(ownTiesQuery).iterate(personRow)) {
    const interval = intervalOf(tie)
    const before = intervals.at(-1)
    if (before?.until?.id === tie.id && before.until.at === tie.at && before.deviceRow === tie.deviceRow) {
      before.until = interval.until
    } else intervals.push(interval)
    if (tie.deviceRow !== deviceRow) devices.push({ id: tie.deviceId, tied: { at: tie.at, id: tie.id } })
    deviceRow = tie.deviceRow
  }
  devices.sort((one, other) => one.tied.at - other.tied.at || (one.tied.id < other.tied.id ? -1 : 1))
  return { intervals, deviceIds: devices.map(({ id }) => id) }
}

/** A person's tie, and where the device's next tie is, whoever's. */
export interface OwnTieRow {
  deviceRow: number
  at: number
  id: string
  isFirst: number
  nextAt: number | null
  nextId: string | null
}

/** From the tie until the device's next one; from the beginning if it is the first. */
export const intervalOf = ({ deviceRow, at, id, isFirst, nextAt, nextId }: OwnTieRow): Interval => ({
  deviceRow,
  from: isFirst === 1 ? null : { at, id },
  until: nextAt === null || nextId === null ? null : { at: nextAt, id: nextId },
})

/** The intervals as `rowsWithin` takes them: device, and each end as time and id; open ends lie beyond all receipts. */
export const intervalsJson = (intervals: Interval[]): string =>
  JSON.stringify(
    intervals.map(({ deviceRow, from, until }) => [
      deviceRow,
      from?.at ?? -1,
      from?.id ?? '',
      until?.at ?? Number.MAX_SAFE_INTEGER,
      until?.id ?? '',
    ]),
  )

const otherTies = `FROM device_tie other WHERE other.device_row = tie.device_row
  AND (other.received_at, other.entry_id)`
const nextTie = `${otherTies} > (tie.received_at, tie.entry_id) ORDER BY other.received_at, other.entry_id LIMIT 1`

/** The columns of an `OwnTieRow`, for `device_tie tie`. */
export const ownTieColumns = `tie.device_row AS deviceRow, tie.received_at AS at, tie.entry_id AS id,
  NOT EXISTS (SELECT 1 ${otherTies} < (tie.received_at, tie.entry_id)) AS isFirst,
  (SELECT other.received_at ${nextTie}) AS nextAt, (SELECT other.entry_id ${nextTie}) AS nextId`

const ownTiesQuery = `
  SELECT ${ownTieColumns}, device.id AS deviceId
  FROM device_tie tie JOIN device ON device.row = tie.device_row
  WHERE tie.person_row = ?
  ORDER BY tie.device_row, tie.received_at, tie.entry_id`

/**
 * The owner of a device at a receipt, an expression for the person's row. A device belongs to the person of its latest
 * tie up to the receipt, and before its first tie to that tie's person; `NULL`: nobody.
 */
export const deviceOwner = ({ deviceRow, at, id }: { deviceRow: string; at: string; id: string }): string => `coalesce(
    (SELECT person_row FROM device_tie
     WHERE device_row = ${deviceRow} AND (received_at, entry_id) <= (${at}, ${id})
     ORDER BY received_at DESC, entry_id DESC LIMIT 1),
    (SELECT person_row FROM device_tie
     WHERE device_row = ${deviceRow}
     ORDER BY received_at, entry_id LIMIT 1))`
