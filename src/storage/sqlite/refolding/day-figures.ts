import type { Measure } from '../../../processing/figures/measures.ts'
import type { Connection } from '../database/connection.ts'
import { ChangedMonths } from '../processing/month-figures.ts'

export interface FigureChange {
  day: number
  measure: Measure
  name: string
  count: number
}

/** Changes figures in the present transaction; a figure that becomes zero has no row. */
export class DayFigures {
  private readonly add
  private readonly forgetZero
  private readonly changedMonths: ChangedMonths

  constructor({ raw }: Pick<Connection, 'raw'>) {
    this.add = raw.query<null, [number, number, string, string, number]>(
      `INSERT INTO day_figure (account_row, day, measure, name, count) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    )
    this.changedMonths = new ChangedMonths(raw)
    this.forgetZero = raw.query<null, [number, number, string, string]>(
      `DELETE FROM day_figure WHERE account_row = ? AND day = ? AND measure = ? AND name = ? AND count = 0`,
    )
  }

  change(accountRow: number, { day, measure, name, count }: FigureChange): void {
    if (count === 0) return
    this.changedMonths.noteDays([[accountRow, day]])
    this.add.run(accountRow, day, measure, name, count)
    this.forgetZero.run(accountRow, day, measure, name)
  }
}
