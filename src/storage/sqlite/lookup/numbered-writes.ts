import type { Database } from 'bun:sqlite'
import type { NumberedRow } from './numbered-rows.ts'

/** Puts rows into tables under the numbers that SQLite gave them in another copy. Names must come from the schema. */
export const numberedWrites = (raw: Database) => ({
  remove(table: string, first: number, last: number): void {
    raw.query(`DELETE FROM "${table}" WHERE rowid BETWEEN ? AND ?`).run(first, last)
  },
  /** A row that has the same unique value under another number is stale: it goes. */
  put(table: string, columns: readonly string[], row: NumberedRow): void {
    const listed = ['rowid', ...columns.map((name) => `"${name}"`)]
    raw
      .query(`INSERT OR REPLACE INTO "${table}" (${listed.join(', ')}) VALUES (${listed.map(() => '?').join(', ')})`)
      .run(...row)
  },
})

interface Orphan {
  table: string
  rowid: number
}

/** Deletes rows that refer to rows which are not there. */
export function removeOrphans(raw: Database): void {
  // What refers to an orphan is one then.
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    const orphans = raw.query<Orphan, []>('PRAGMA foreign_key_check').all()
    if (orphans.length === 0) return
    if (orphans.length === last) throw new Error('rows that refer to nothing cannot be removed')
    for (const { table, rowid } of orphans) raw.query(`DELETE FROM "${table}" WHERE rowid = ?`).run(rowid)
    last = orphans.length
  }
}
