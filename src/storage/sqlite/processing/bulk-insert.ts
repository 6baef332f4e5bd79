import type { Database, SQLQueryBindings } from 'bun:sqlite'

/** Rows that one statement inserts, largest first: one statement for each row costs twice as much. */
const rowsPerStatement = [64, 8, 1]

export type Values = SQLQueryBindings[]

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

/**
 * Row numbers for devices or persons that a step met first. Their keys are negative until then; since nobody else
 * writes meanwhile, they get the table's next numbers.
 */
export class StoredKeys {
  private first = 0
  private readonly last: () => number

  constructor(raw: Database, table: 'device' | 'person') {
    const statement = raw.query<{ seq: number }, []>(`SELECT seq FROM sqlite_sequence WHERE name = '${table}'`)
    this.last = () => statement.get()?.seq ?? 0
  }

  /** Call when a step is written, in its transaction, before the table's first new row. */
  begin(): void {
    this.first = this.last()
  }

  /** The row number, also for a negative key. */
  rowOf(key: number): number {
    return key > 0 ? key : this.first - key
  }
}
