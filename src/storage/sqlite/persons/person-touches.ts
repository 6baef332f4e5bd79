import { isDirect, type Touch } from '../../../processing/attribution/touch.ts'
import type { RecordedTouch } from '../../../processing/attribution/touches.ts'
import { isLater } from '../../../processing/ledger-item.ts'
import type { WayQuery } from '../../../report/person-reader.ts'
import type { Connection } from '../database/connection.ts'
import { type Interval, intervalsJson, ownershipOf } from './intervals.ts'
import { firstTouchBeforeQuery, firstTouchQuery, lastTouchBeforeQuery, lastTouchQuery } from './own-records.ts'

/**
 * A person's first and last touch: the earliest of their records' touches, and the latest that is not direct (the
 * first, if all are). For each device, the last touch before it was tied to them counts too, since that is where they
 * came from.
 */
export function personTouches(
  connection: Connection,
  intervals: Interval[],
): { first: Touch | null; last: Touch | null } {
  const json = intervalsJson(intervals)
  const before = intervals.flatMap((interval) => touchBefore(connection, interval))
  const firsts = [...found(connection, firstTouchQuery, json), ...before]
  const lasts = [...found(connection, lastTouchQuery, json), ...before.filter(({ touch }) => !isDirect(touch))]
  const first = latest(firsts, -1)?.touch ?? null
  return { first, last: latest(lasts, 1)?.touch ?? first }
}

function touchBefore(connection: Connection, { deviceRow, from }: Interval): RecordedTouch[] {
  if (from === null) return []
  const last = found(connection, lastTouchBeforeQuery, deviceRow, from.at, from.id)
  return last.length > 0 ? last : found(connection, firstTouchBeforeQuery, deviceRow, from.at, from.id)
}

function found({ raw }: Connection, query: string, ...asked: (string | number)[]): RecordedTouch[] {
  const row = raw.query<TouchRow, (string | number)[]>(query).get(...asked)
  return row === null ? [] : [{ receipt: { at: row.at, id: row.id }, touch: JSON.parse(row.touch) }]
}

/** The latest of them; for direction -1 the earliest. */
const latest = (touches: RecordedTouch[], direction: 1 | -1): RecordedTouch | undefined =>
  touches.toSorted((one, other) => (isLater(one.receipt, other.receipt) ? -direction : direction))[0]

interface TouchRow {
  at: number
  id: string
  touch: string
}

/** Intervals examined, latest first: somebody who borrows a device again and again has thousands. */
const intervalsMax = 50

interface Step {
  sequence: number
  receivedAt: number
}

/**
 * Positions in the ledger of the records on a person's way to a submission, in order of receipt. Each interval is read
 * by index.
 */
export function wayTo(connection: Connection, { accountId, personId, deviceId, until, limit }: WayQuery): number[] {
  const intervals =
    personId === null ? ofDevice(connection, accountId, deviceId) : ofPerson(connection, accountId, personId)
  const steps = connection.raw.query<Step, [number, number, number, number]>(
    `SELECT sequence, received_at AS receivedAt FROM device_entry
     WHERE device_row = ? AND received_at BETWEEN ? AND ? ORDER BY received_at DESC, sequence DESC LIMIT ?`,
  )
  const last: Step = { sequence: Number(until.cursor), receivedAt: until.receivedAt }
  const found = new Map([[last.sequence, last]])
  for (const interval of intervals) {
    const to = Math.min(until.receivedAt, (interval.until?.at ?? Number.MAX_SAFE_INTEGER) - 1)
    for (const step of steps.all(interval.deviceRow, interval.from?.at ?? -1, to, limit)) {
      if (isBefore(step, last)) found.set(step.sequence, step)
    }
  }
  return [...found.values()]
    .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    .slice(-limit)
    .map(({ sequence }) => sequence)
}

const isBefore = (one: Step, other: Step): boolean =>
  one.receivedAt < other.receivedAt || (one.receivedAt === other.receivedAt && one.sequence < other.sequence)

function ofPerson(connection: Connection, accountId: string, personId: string): Interval[] {
  const found = connection.raw
    .query<{ row: number }, [string, string]>(
      'SELECT row FROM person WHERE account_row = (SELECT row FROM account WHERE id = ?) AND id = ?',
    )
    .get(accountId, personId)
  if (found === null) return []
  return ownershipOf(connection, found.row)
    .intervals.sort((one, other) => (other.from?.at ?? -1) - (one.from?.at ?? -1))
    .slice(0, intervalsMax)
}

function ofDevice({ raw }: Connection, accountId: string, deviceId: string | null): Interval[] {
  if (deviceId === null) return []
  const found = raw
    .query<{ row: number }, [string, string]>(
      'SELECT row FROM device WHERE account_row = (SELECT row FROM account WHERE id = ?) AND id = ?',
    )
    .get(accountId, deviceId)
  return found === null ? [] : [{ deviceRow: found.row, from: null, until: null }]
}
