import type { Database } from 'bun:sqlite'

/**
 * The rows of what a step met first. Its keys are negative, and what is written of it bears the numbers that are drawn
 * here: the next ones of the table, since nobody else writes meanwhile.
 */
export class StoredKeys {
  private first = 0
  private readonly last: () => number

  constructor(raw: Database, table: 'device' | 'person') {
    const statement = raw.query<{ seq: number }, []>(`SELECT seq FROM sqlite_sequence WHERE name = '${table}'`)
    this.last = () => statement.get()?.seq ?? 0
  }

  /** Call when a step is written, in its transaction, before the first row of the table is. */
  begin(): void {
    this.first = this.last()
  }

  /** The row's number, of a negative key too. */
  rowOf(key: number): number {
    return key > 0 ? key : this.first - key
  }
}
