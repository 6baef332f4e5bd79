import type { Connection } from '../database/connection.ts'
import { decisionKinds } from '../ledger/decision-codec.ts'

/** What devices have recorded recently. */
export class Recordings {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Pick<Connection, 'raw'>) {
    this.statements = prepareStatements(connection)
  }

  /** The ledger sequence up to which everything is processed. */
  processedTo(): number {
    return this.statements.cursor.get()?.cursor ?? 0
  }

  /**
   * Whether anything of the device was processed after that, or any release, which may be of one of its submissions.
   * Examines what came since, not everything that the device ever recorded.
   */
  anyAfter(sequence: number, deviceRow: number): boolean {
    return this.statements.recordedAfter.get(sequence, deviceRow) !== null
  }
}

function prepareStatements({ raw }: Pick<Connection, 'raw'>) {
  return {
    cursor: raw.query<{ cursor: number }, []>('SELECT cursor FROM processing'),
    recordedAfter: raw.query<object, [number, number]>(
      `SELECT 1 FROM ledger WHERE sequence > ?1 AND sequence <= (SELECT cursor FROM processing)
         AND (kind = ${decisionKinds.release} OR EXISTS (SELECT 1 FROM device_entry entry WHERE entry.device_row = ?2
           AND entry.received_at = ledger.received_at AND entry.sequence = ledger.sequence)) LIMIT 1`,
    ),
  }
}
