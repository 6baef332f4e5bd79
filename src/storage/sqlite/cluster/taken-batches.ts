import type { Database } from 'bun:sqlite'
import { isEmpty } from '../../../capture/write-batch.ts'
import { decodeBatches } from '../../../cluster/cluster-committer.ts'
import type { IntakeBatch } from '../../../cluster/cluster-log.ts'
import { lastPosition } from '../backup/database-copies.ts'
import { BatchTransaction } from '../commit/batch-transaction.ts'

/** Entries that are committed together: about 10 ms. A batch has a few hundred. */
const entriesPerCommit = 500

/** Batches that the folder contains, those of the last ten minutes. */
export const takenIds = (raw: Database, which: 'NOT is_linked' | 'true'): string[] =>
  raw
    .query<{ batch: string }, []>(`SELECT batch FROM intake_taken WHERE ${which}`)
    .all()
    .map(({ batch }) => batch)

/** They came into the intake again after their link, and leave it with the next one. Call in a transaction. */
export function unlink(raw: Database, repeated: readonly IntakeBatch[]): void {
  const again = raw.query<null, [string]>('UPDATE intake_taken SET is_linked = 0 WHERE batch = ?')
  for (const { id } of repeated) again.run(id)
}

/** Commits batches of the intake, each once. */
export class TakenBatches {
  /** `null`: none was committed yet, or the last commit failed. */
  private transaction: BatchTransaction | null = null

  constructor(private readonly databaseFile: string) {}

  commit(batches: readonly IntakeBatch[], now: number): void {
    for (let next = 0; next < batches.length; ) {
      const first = next
      let entries = 0
      do entries += batches[next++]?.entries ?? 0
      while (next < batches.length && entries + (batches[next]?.entries ?? 0) <= entriesPerCommit)
      this.commitTogether(batches.slice(first, next), now)
    }
  }

  close(): void {
    this.transaction?.close()
    this.transaction = null
  }

  private commitTogether(batches: readonly IntakeBatch[], now: number): void {
    this.transaction ??= new BatchTransaction(this.databaseFile)
    const { transaction } = this
    const { raw } = transaction.connection
    const given = batches.flatMap(({ body }) => decodeBatches(body)).filter((batch) => !isEmpty(batch))
    const note = raw.query<null, [string, number, number, number]>(
      'INSERT INTO intake_taken (batch, taken_at, first_sequence, last_sequence) VALUES (?, ?, ?, ?)',
    )
    const commit = raw.transaction(() => {
      const first = lastPosition(raw)
      if (given.length > 0) transaction.commit(given, now)
      for (const { id } of batches) note.run(id, now, first, lastPosition(raw))
    })
    try {
      commit.immediate()
    } catch (error) {
      // It remembers what was rolled back.
      this.close()
      throw error
    }
  }
}

/**
 * The batches of one commit that a place in the ledger divides; `null`: none. A link contains all of a batch or nothing: what
 * it leaves of one would be committed once more by another leader, together with the rest.
 */
export const dividedAt = (raw: Database, sequence: number): { first: number; last: number } | null =>
  raw
    .query<{ first: number; last: number }, [number]>(
      `SELECT first_sequence AS first, last_sequence AS last FROM intake_taken
       WHERE NOT is_linked AND first_sequence < ?1 AND last_sequence > ?1`,
    )
    .get(sequence)
