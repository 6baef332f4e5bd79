import type { Receipt } from '../../../processing/receipt.ts'
import type { Connection } from '../connection.ts'

/** From one tie of a device until it is tied to somebody else: what it records meanwhile is the person's. */
export interface Interval {
  deviceRow: number
  /** `null`: from the beginning, since nobody was tied to the device before. */
  from: Receipt | null
  /** Exclusive; `null`: to this day. */
  until: Receipt | null
}

/** What the person has had of their devices, in the order in which they were tied to them. */
export interface Ownership {
  intervals: Interval[]
  deviceIds: string[]
}

/** Reads the ties of the person's devices one at a time: a device that tells an address often has many. */
export function ownershipOf({ raw }: Connection, personRow: number): Ownership {
  const intervals: Interval[] = []
  const devices: { id: string; tied: Receipt }[] = []
  let open: Interval | null = null
  let deviceRow = -1
  for (const tie of raw.query<TieRow, [number]>(tiesQuery).iterate(personRow)) {
    const receipt = { at: tie.at, id: tie.id }
    const isFirst = tie.deviceRow !== deviceRow
    if (isFirst) open = null
    if (tie.personRow !== personRow) {
      if (open !== null) open.until = receipt
      open = null
    } else {
      if (open === null) {
        open = { deviceRow: tie.deviceRow, from: isFirst ? null : receipt, until: null }
        intervals.push(open)
      }
      if (devices.at(-1)?.id !== tie.deviceId) devices.push({ id: tie.deviceId, tied: receipt })
    }
    deviceRow = tie.deviceRow
  }
  devices.sort((one, other) => one.tied.at - other.tied.at || (one.tied.id < other.tied.id ? -1 : 1))
  return { intervals, deviceIds: devices.map(({ id }) => id) }
}

/** The intervals as `json_each` takes them: device, from, until, each end as time and id, open ends beyond all receipts. */
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

interface TieRow {
  deviceRow: number
  deviceId: string
  at: number
  id: string
  personRow: number
}

const tiesQuery = `
  SELECT device_row AS deviceRow, device.id AS deviceId, received_at AS at, entry_id AS id, person_row AS personRow
  FROM (SELECT DISTINCT device_row AS own FROM device_tie WHERE person_row = ?1)
  CROSS JOIN device_tie ON device_row = own
  CROSS JOIN device ON device.row = device_row
  ORDER BY device_row, received_at, entry_id`
