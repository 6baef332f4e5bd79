import type { UnderivedDevices } from '../../../operations/doctor/inspection.ts'
import type { ErasedTime } from '../../../processing/refolding/device-base.ts'
import type { Connection } from '../database/connection.ts'
import type { Correction } from '../processing/folding.ts'

/**
 * A kind of keys that go stale when entries go. A mark says which are, in a table of its own; changes hold only while the key is
 * marked as it was: an erasure or retention that removes more marks it anew.
 */
export interface StaleKind<Key extends { accountRow: number } = { accountRow: number }, Change = unknown> {
  /** Changes written in one transaction: a millisecond or two. */
  readonly changesPerPart: number
  /** A marked key; `null`: none is. */
  next(): Key | null
  isMarked(key: Key): boolean
  /**
   * Loads what is left, folds it, and says what differs from it; holds no lock, and makes a pause after a millisecond or two.
   * Asked again until `settle` ends the mark.
   */
  changes(key: Key): Generator<Change | typeof pause>
  write(change: Change, key: Key, correction: Correction): void
  /** Ends the mark, unless the key must be looked at again, in the transaction. */
  settle(key: Key): void
  giveUp(key: Key, reason: string): void
}

export const pause = Symbol('others may have their turn')

/** Marks what must be derived again, in the transaction that removes what it was derived from. */
export class StaleMarks {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Pick<Connection, 'raw'>) {
    this.statements = prepareStatements(connection)
  }

  device(deviceRow: number): void {
    this.statements.device.run(deviceRow)
  }

  /**
   * What the device's records of that time, epoch milliseconds, told before they expired goes. `until` is exclusive. Noted even if
   * none has expired: before the refold, retention may delete later ones, which others sent.
   */
  erasedTime(deviceRow: number, { from, until }: ErasedTime): void {
    this.statements.erasedTime.run(from, until, deviceRow)
  }

  /** The same for a record, if later ones have expired; a person's own records are within times that are noted anyway. */
  erasedRecord(deviceRow: number, receivedAt: number): void {
    this.statements.erasedRecord.run(receivedAt, deviceRow)
  }

  /** Restarts the refold of the device, if it is marked. */
  deviceAgain(deviceRow: number): void {
    this.statements.deviceAgain.run(deviceRow)
  }

  /** Marks what the submission or click of that number has a part in, before its own row is deleted. */
  entry(sequence: number): void {
    this.statements.repeat.run(sequence)
    this.statements.burst.run(sequence)
  }
}

/** Upper bound of the number of marks. */
export const countStale = ({ raw }: Pick<Connection, 'raw'>): number =>
  raw
    .query<{ marks: number }, []>(
      `SELECT (SELECT count(*) FROM stale_device WHERE given_up IS NULL) + (SELECT count(*) FROM stale_repeat)
         + (SELECT count(*) FROM stale_burst) + (SELECT count(*) FROM stale_day) AS marks`,
    )
    .get()?.marks ?? 0

/** Devices that could not be derived again, by account. */
export const underivedDevices = ({ raw }: Pick<Connection, 'raw'>): (UnderivedDevices & { accountRow: number })[] =>
  raw
    .query<UnderivedDevices & { accountRow: number }, []>(
      `SELECT account_row AS accountRow, handle, count(*) AS count, max(given_up) AS reason
       FROM stale_device JOIN device ON device.row = device_row JOIN account ON account.row = account_row
       WHERE given_up IS NOT NULL GROUP BY account_row ORDER BY handle`,
    )
    .all()

/** Lets devices that failed before be tried again. */
export const retryGivenUp = ({ raw }: Pick<Connection, 'raw'>): void => {
  raw.run('UPDATE stale_device SET given_up = NULL WHERE given_up IS NOT NULL')
}

function prepareStatements({ raw }: Pick<Connection, 'raw'>) {
  return {
    device: raw.query<null, [number]>('INSERT OR REPLACE INTO stale_device (device_row) VALUES (?)'),
    deviceAgain: raw.query<null, [number]>(
      'INSERT OR REPLACE INTO stale_device (device_row) SELECT device_row FROM stale_device WHERE device_row = ?',
    ),
    erasedTime: raw.query<null, [number, number, number]>(
      `INSERT OR IGNORE INTO erased_time (device_row, from_at, until_at) SELECT row, ?1, ?2 FROM device WHERE row = ?3`,
    ),
    erasedRecord: raw.query<null, [number, number]>(
      `INSERT OR IGNORE INTO erased_time (device_row, from_at, until_at)
       SELECT row, ?1, ?1 + 1 FROM device WHERE row = ?2 AND expired_at >= ?1`,
    ),
    repeat: raw.query<null, [number]>(
      `INSERT OR IGNORE INTO stale_repeat
         (sequence, account_row, fingerprint, id, received_at, duplicate_of)
       SELECT sequence, account_row, fingerprint, id, received_at, duplicate_of FROM submission_fact
       WHERE sequence = ? AND fingerprint IS NOT NULL`,
    ),
    burst: raw.query<null, [number]>(
      `INSERT OR IGNORE INTO stale_burst (sequence, account_row, burst_group, received_at)
       SELECT sequence, account_row, burst_group, received_at FROM click_fact WHERE sequence = ?`,
    ),
  }
}
