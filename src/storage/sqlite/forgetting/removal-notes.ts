import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { everyEntry } from '../lookup/following.ts'
import type { RemovedPerson } from '../processing/person-rows.ts'

/** Links take notes along within seconds. */
const keptMs = 24 * 60 * 60_000
/** Notes that are looked at with each new one, oldest first. */
const forgottenAtOnce = 100

/**
 * Notes for followers what this node, the leader of a cluster, removes and no entry of the ledger names. A single box notes
 * nothing. Call in the transaction of the removal.
 */
export class RemovalNotes {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    { raw }: Pick<Connection, 'raw'>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.statements = prepareStatements(raw)
  }

  expired(sequences: readonly number[]): void {
    this.note(JSON.stringify(sequences), null)
  }

  erased({ accountRow, id }: RemovedPerson): void {
    this.note(null, JSON.stringify([accountRow, id]))
  }

  private note(expired: string | null, person: string | null): void {
    const now = this.clock.now()
    const { changes } = this.statements.note.run(now, expired, person)
    if (changes > 0) this.statements.forget.run(now - keptMs)
  }
}

const prepareStatements = (raw: Connection['raw']) => ({
  note: raw.query<null, [number, string | null, string | null]>(
    `INSERT INTO linked_removal (at, expired, person) SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM cluster_position)
       AND NOT EXISTS (SELECT 1 FROM delivered_elsewhere WHERE last_sequence = ${everyEntry.lastSequence})`,
  ),
  forget: raw.query<null, [number]>(
    `DELETE FROM linked_removal WHERE row IN (
       SELECT row FROM (SELECT row, at FROM linked_removal ORDER BY row LIMIT ${forgottenAtOnce}) WHERE at < ?)`,
  ),
})
