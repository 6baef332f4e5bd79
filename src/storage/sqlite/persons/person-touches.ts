import { isDirect, type Touch } from '../../../processing/attribution/touch.ts'
import type { RecordedTouch } from '../../../processing/attribution/touches.ts'
import { isLater } from '../../../processing/ledger-item.ts'
import type { Connection } from '../database/connection.ts'
import { type Interval, intervalsJson } from './intervals.ts'
import { firstTouchBeforeQuery, firstTouchQuery, lastTouchBeforeQuery, lastTouchQuery } from './person-queries.ts'

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
