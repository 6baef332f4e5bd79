import type { Markup } from '../../../lib/html.ts'
import type { ReportTableName } from '../../report-tables.ts'
import type { DrawnFigure } from '../chart/series-charts.ts'
import type { DrawnList } from '../report-lists.ts'

/** What of a report can be drawn as a picture. */
export type Drawn = DrawnFigure | DrawnList

/** A part of a report as files to download; `null`: there is no such file. */
export interface PartFiles {
  title: string
  table: ReportTableName | null
  drawn: Drawn | null
}

/** Download links that a page adds to the parts of a report. A standalone file has none. */
export interface ReportExtras {
  files(part: PartFiles): Markup | null
}

export const noExtras: ReportExtras = { files: () => null }
