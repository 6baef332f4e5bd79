import { Database } from 'bun:sqlite'
import type { Connection } from '../database/connection.ts'

interface ErasureRow {
  row: number
  id: string
  accountId: string
  personId: string | null
  begunAt: number
  endedAt: number | null
}

interface ErasedRecordRow {
  sequence: number
  recordId: string
}

/**
 * Takes the log of erasures over from the database that is moved aside: a restore must not make the box forget what was
 * erased, since the next one would count too few. Nothing is erased by it.
 *
 * @throws when that database cannot be read; then nothing is taken over
 */
export function carryErasures(present: string, restored: Connection): void {
  const raw = new Database(present, { readonly: true, strict: true })
  try {
    const records = raw.query<ErasedRecordRow, [number]>(
      'SELECT sequence, record_id AS recordId FROM erased_record WHERE erasure_row = ?',
    )
    const erasures = raw.query<ErasureRow, []>(
      'SELECT row, id, account_id AS accountId, person_id AS personId, begun_at AS begunAt, ended_at AS endedAt FROM erasure',
    )
    restored.raw
      .transaction(() => {
        for (const erasure of erasures.all()) carryErasure(restored, erasure, records.all(erasure.row))
      })
      .immediate()
  } finally {
    raw.close()
  }
}

function carryErasure({ raw }: Connection, erasure: ErasureRow, records: ErasedRecordRow[]): void {
  const { id, accountId, personId, begunAt, endedAt } = erasure
  const held = raw
    .query<{ row: number }, [string, string, string | null, number, number | null]>(
      `INSERT INTO erasure (id, account_id, person_id, begun_at, ended_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET ended_at = coalesce(ended_at, excluded.ended_at) RETURNING row`,
    )
    .get(id, accountId, personId, begunAt, endedAt)
  if (held === null) throw new Error('the erasure could not be taken over')
  const insert = raw.query<unknown, [number, number, string]>(
    'INSERT OR IGNORE INTO erased_record (erasure_row, sequence, record_id) VALUES (?, ?, ?)',
  )
  for (const { sequence, recordId } of records) insert.run(held.row, sequence, recordId)
}
