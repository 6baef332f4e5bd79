import type { Connection } from '../../../src/storage/sqlite/database/connection.ts'
import { ClockWatch } from '../../../src/storage/sqlite/forgetting/clock-watch.ts'

/**
 * Lets the next sweep delete whatever has expired by then, as an operator may: for tests of how records are deleted, not of
 * whether.
 */
export function allowDeletion(connection: Connection, now: number): void {
  new ClockWatch(connection).trust(now)
  connection.raw.run(
    `INSERT INTO retention_state (account_row, is_allowed) SELECT row, true FROM account WHERE true
     ON CONFLICT DO UPDATE SET is_allowed = true`,
  )
}
