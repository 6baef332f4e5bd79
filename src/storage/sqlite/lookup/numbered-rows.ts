import type { Database } from 'bun:sqlite'
import type { StateRows } from '../../../backup/format/increment-lines.ts'
import { pagesAfter } from './pages.ts'

/** SQLite's number of a row, in any table with such numbers. */
export const rowNumber = 'rowid'

/** A row as SQLite numbers it: its row number, then the values of `columns`. */
export type NumberedRow = [row: number, ...values: (null | number | string | Uint8Array)[]]

type StoredRow = StateRows['rows'][number]

export const storedRow = ([row, ...values]: NumberedRow): StoredRow => [
  row,
  ...values.map((value) => (value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value)),
]

export const readRow = ([row, ...values]: StoredRow): NumberedRow => [
  row,
  ...values.map((value) => (value !== null && typeof value === 'object' ? Buffer.from(value.bytes, 'base64') : value)),
]

interface NumberedTable {
  /** All columns except one that is the row number itself. */
  columns: string[]
  /** All rows in order of their numbers, page by page. */
  pages(): Iterable<NumberedRow[]>
  /** `null`: there is none of this number. */
  row(number: number): NumberedRow | null
}

const pageRows = 500

/** A table with row numbers of SQLite's. Its name must come from the schema. */
export function numberedTable(raw: Database, table: string): NumberedTable {
  const info = raw.query<{ name: string; type: string; pk: number }, []>(`PRAGMA table_info("${table}")`).all()
  const keys = info.filter(({ pk }) => pk > 0)
  // A single key of this type is an alias of the row number.
  const alias = keys.length === 1 && keys[0]?.type.toUpperCase() === 'INTEGER' ? keys[0].name : null
  const columns = info.flatMap(({ name }) => (name === alias ? [] : [name]))
  const listed = ['rowid', ...columns.map((name) => `"${name}"`)].join(', ')
  const page = raw.query(`SELECT ${listed} FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ${pageRows}`)
  const one = raw.query(`SELECT ${listed} FROM "${table}" WHERE rowid = ?`)
  return {
    columns,
    pages: () =>
      pagesAfter(
        Number.MIN_SAFE_INTEGER,
        (after) => page.values(after) as NumberedRow[],
        ([row]) => row,
      ),
    row: (number) => (one.values(number)[0] as NumberedRow | undefined) ?? null,
  }
}

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
