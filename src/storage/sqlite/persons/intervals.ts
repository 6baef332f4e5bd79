import type { Receipt } from '../../../processing/ledger-item.ts'
import type { Connection } from '../database/connection.ts'

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
