import type { Database } from 'bun:sqlite'

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
