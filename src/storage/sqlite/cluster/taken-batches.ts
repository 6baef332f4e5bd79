import type { Database } from 'bun:sqlite'
import { emptyBatch, isEmpty, type WriteBatch } from '../../../capture/write-batch.ts'
import { decodeBatches } from '../../../cluster/cluster-committer.ts'
import type { IntakeBatch } from '../../../cluster/cluster-log.ts'
import { lastPosition } from '../backup/database-copies.ts'
import { BatchTransaction } from '../commit/batch-transaction.ts'
import { storedJson } from '../database/damage.ts'
import { processedTo } from '../processing/processed-to.ts'

/** Entries that are committed together: about 10 ms. A batch has a few hundred. */
const entriesPerCommit = 500

/** Batches that are in no link yet. */
export const takenIds = (raw: Database): string[] =>
  raw
    .query<{ batch: string }, []>('SELECT batch FROM intake_taken WHERE NOT is_linked')
    .all()
    .map(({ batch }) => batch)

/** Whether the folder contains a batch, of the last ten minutes. */
export const contains = (raw: Database, { id }: IntakeBatch): boolean =>
  raw.query<object, [string]>('SELECT 1 FROM intake_taken WHERE batch = ?').get(id) !== null

/** They came into the intake again after their link, and leave it with the next one. Call in a transaction. */
export function unlink(raw: Database, repeated: readonly IntakeBatch[]): void {
  const again = raw.query<null, [string]>('UPDATE intake_taken SET is_linked = 0 WHERE batch = ?')
  for (const { id } of repeated) again.run(id)
}

type Counts = Pick<WriteBatch, 'refusals' | 'missing'>

/**
 * Commits batches of the intake, each once. What a batch counts is added when a link is made that contains it: the sums are state, and
 * would be in the chain while the batch is still in the intake, whose next leader would count it again.
 */
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

  /** Adds what batches count that end by an entry, in one transaction with other work. */
  counted<T>(to: number, work: (raw: Database) => T, now: number): T {
    return this.write((transaction) => {
      const { raw } = transaction.connection
      const rows = raw
        .query<{ counts: string }, [number]>(
          'SELECT counts FROM intake_taken WHERE counts IS NOT NULL AND NOT is_linked AND last_sequence <= ?',
        )
        .all(to)
      const counts = rows.flatMap((row) => storedJson<Counts[]>(row.counts))
      if (counts.length > 0)
        transaction.commit(
          counts.map((given) => ({ ...emptyBatch, ...given })),
          now,
        )
      if (rows.length > 0)
        raw.run('UPDATE intake_taken SET counts = NULL WHERE NOT is_linked AND last_sequence <= ?', [to])
      return work(raw)
    })
  }

  private commitTogether(batches: readonly IntakeBatch[], now: number): void {
    const decoded = batches.map(({ id, body }) => ({ id, given: decodeBatches(body) }))
    const uncounted = decoded
      .flatMap(({ given }) => given)
      .map((batch) => ({ ...batch, refusals: [], missing: [] }))
      .filter((batch) => !isEmpty(batch))
    this.write((transaction) => {
      const { raw } = transaction.connection
      const note = raw.query<null, [string, number, number, string | null]>(
        `INSERT INTO intake_taken (batch, at_link, first_sequence, last_sequence, counts)
         SELECT ?, coalesce(number, 0), ?, ?, ? FROM cluster_position`,
      )
      const first = lastPosition(raw)
      if (uncounted.length > 0) transaction.commit(uncounted, now)
      for (const { id, given } of decoded) note.run(id, first, lastPosition(raw), countsIn(given))
    })
  }

  private write<T>(work: (transaction: BatchTransaction) => T): T {
    this.transaction ??= new BatchTransaction(this.databaseFile)
    const { transaction } = this
    try {
      return transaction.connection.raw.transaction(() => work(transaction)).immediate()
    } catch (error) {
      // It remembers what was rolled back.
      this.close()
      throw error
    }
  }
}

function countsIn(given: readonly WriteBatch[]): string | null {
  const counts = given
    .map(({ refusals, missing }): Counts => ({ refusals, missing }))
    .filter(({ refusals, missing }) => refusals.length + missing.length > 0)
  return counts.length === 0 ? null : JSON.stringify(counts)
}

/** How far entries can go into a link: they are processed, and no batch is divided there. */
export function wholeTo(raw: Database): number {
  const cursor = processedTo({ raw })
  return dividedAt(raw, cursor)?.first ?? cursor
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
