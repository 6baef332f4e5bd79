import type { ReportTableName } from '../report-tables.ts'
import { type DrawnList, reportLists } from './lists.ts'
import type { ReportView } from './report-view.ts'
import { type DrawnFigure, seriesCharts } from './series.ts'

/** A part of a report as files to download. */
export interface ReportPart {
  title: string
  /** As CSV; `null`: it has no table of its own. */
  table: ReportTableName | null
  /** As a picture; `null`: nothing is drawn of it. */
  drawn: DrawnFigure | DrawnList | null
}

/** What of a report can be taken away, tables first. */
export function reportParts(view: ReportView): ReportPart[] {
  const pictures = [...seriesCharts(view), ...reportLists(view)].map(
    ({ title, drawn }): ReportPart => ({ title, table: null, drawn }),
  )
  const { series, channels, goals, funnels, splits, keptOut, missing } = view.locale.texts.report
  const tables: [table: ReportTableName, title: string, isThere: boolean][] = [
    ['days', series.figuresByDay, true],
    ['channels', channels.title, view.channels.length > 0],
    ['goals', goals.title, view.goals.length > 0],
    ['funnels', funnels.title, view.funnels.length > 0],
    ['splits', splits.title, view.splits.length > 0],
    ...view.lists.map(({ drawn, title, rows }): [ReportTableName, string, boolean] => [
      drawn as ReportTableName,
      title,
      rows.length > 0,
    ]),
    ['refusals', keptOut.title, view.refusals.length > 0],
    ['missing', missing.title, view.missing.length > 0],
  ]
  return [...tables.flatMap(([table, title, isThere]) => (isThere ? [{ title, table, drawn: null }] : [])), ...pictures]
}
