import type { Database, SQLQueryBindings } from 'bun:sqlite'

/** Rows that one statement inserts, the most first: one statement for each row costs twice as much. */
const rowsPerStatement = [64, 8, 1]

export type Values = SQLQueryBindings[]

/** Inserts many rows in few statements. */
export class BulkInsert {
  private readonly statements: { rows: number; insert: (values: Values) => void }[]

  /** @param target such as `touch (device_row, receipt)`; @param onConflict a clause of the statement */
  constructor(raw: Database, target: string, onConflict = '') {
    const row = `(${target.split(',').fill('?').join()})`
    this.statements = rowsPerStatement.map((rows) => {
      const query = raw.query(`INSERT INTO ${target} VALUES ${Array(rows).fill(row).join()} ${onConflict}`)
      return { rows, insert: (values) => query.run(...values) }
    })
  }

  run(rows: readonly Values[]): void {
    let from = 0
    for (const { rows: size, insert } of this.statements) {
      for (; from + size <= rows.length; from += size) insert(rows.slice(from, from + size).flat())
    }
  }
}

/**
 * Asks for many keys in one statement: half the time of asking for each, from some twenty on a third. Not for lists with a
 * limit of their own: SQLite builds a table for each, which takes twenty times as long as asking for it alone.
 *
 * @param query `?1` are the keys, an array of JSON; `position` of a row says which of them it answers
 */
export function bulkLoad<Row extends { position: number }>(raw: Database, query: string): (keys: unknown[]) => Row[] {
  const statement = raw.query<Row, [string]>(query)
  return (keys) => statement.all(JSON.stringify(keys))
}

/** One answer for each key: `null` for those that no row answers. */
export function answersOf<Row extends { position: number }, Found>(
  keys: { length: number },
  rows: readonly Row[],
  found: (row: Row) => Found,
): (Found | null)[] {
  const answers = Array<Found | null>(keys.length).fill(null)
  for (const row of rows) answers[row.position] = found(row)
  return answers
}

/** All rows that answer each key, in their order. */
export function listsOf<Row extends { position: number }, Found>(
  keys: { length: number },
  rows: readonly Row[],
  found: (row: Row) => Found,
): Found[][] {
  const lists: Found[][] = Array.from({ length: keys.length }, () => [])
  for (const row of rows) lists[row.position]?.push(found(row))
  return lists
}
