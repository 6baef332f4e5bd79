import type { Markup } from '../../../lib/html.ts'
import type { ReportTableName } from '../../report-tables.ts'
import type { DrawnFigure } from '../chart/series-charts.ts'

/** Download links that a page adds to the parts of a report. A standalone file has none. */
export interface ReportExtras {
  table(name: ReportTableName): Markup | null
  chart(drawn: DrawnFigure, title: string): Markup | null
}

export const noExtras: ReportExtras = { table: () => null, chart: () => null }
