import type { WayQuery } from '../../../report/person-reader.ts'
import type { Connection } from '../database/connection.ts'
import { type Interval, ownershipOf } from './intervals.ts'

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
