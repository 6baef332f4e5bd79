import type { Database, SQLQueryBindings } from 'bun:sqlite'

/** Rows that one statement inserts, largest first: one statement for each row costs twice as much. */
const rowsPerStatement = [64, 8, 1]

export type Values = SQLQueryBindings[]

/** Inserts many rows in few statements. */
export class BulkInsert {
  private readonly statements: { rows: number; insert: (values: Values) => void }[]

  /**
   * @param target such as `touch (device_row, receipt)`
   * @param onConflict a clause of the statement
   */
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
