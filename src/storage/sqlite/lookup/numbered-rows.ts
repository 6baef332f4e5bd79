import type { Database } from 'bun:sqlite'

/** A row as SQLite numbers it: its row number, then the values of `columns`. */
export type NumberedRow = [row: number, ...values: (null | number | string | Uint8Array)[]]

export interface NumberedTable {
  /** All columns except one that is the row number itself. */
  columns: string[]
  /** All rows in order of their numbers, page by page. Ends early only when the reader stops. */
  pages(): Generator<NumberedRow[]>
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
  return {
    columns,
    *pages() {
      for (let after = Number.MIN_SAFE_INTEGER; ; ) {
        const rows = page.values(after) as NumberedRow[]
        if (rows.length > 0) yield rows
        const last = rows.at(-1)
        if (last === undefined || rows.length < pageRows) return
        after = last[0]
      }
    },
  }
}
