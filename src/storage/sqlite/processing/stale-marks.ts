import type { ErasedTime } from '../../../processing/refolding/device-base.ts'
import type { Connection } from '../database/connection.ts'

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

  /** Marks what the submission or click of that number has a part in, before its own row is deleted or changed. */
  entry(sequence: number): void {
    this.statements.repeat.run(sequence)
    this.statements.burst.run(sequence)
  }
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
