import type { Connection } from '../database/connection.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'

/**
 * Whether anything of the device was processed after that sequence, or any release, which may be of one of its
 * submissions. Examines what came since, not everything that the device ever recorded.
 */
export const hasRecordedAfter = ({ raw }: Pick<Connection, 'raw'>, sequence: number, deviceRow: number): boolean =>
  raw
    .query<object, [number, number]>(
      `SELECT 1 FROM ledger WHERE sequence > ?1 AND sequence <= (SELECT cursor FROM processing)
         AND (kind = ${decisionKinds.release} OR EXISTS (SELECT 1 FROM device_entry entry WHERE entry.device_row = ?2
           AND entry.received_at = ledger.received_at AND entry.sequence = ledger.sequence)) LIMIT 1`,
    )
    .get(sequence, deviceRow) !== null
