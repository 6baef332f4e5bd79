import type { Figures, FiguresReport } from '../report/figures.ts'
import { total } from '../report/figures-report.ts'
import { type Cell, tableText } from './output/table.ts'
import type { Drawn } from './report-bar.ts'

/** More days than fit on a screen or two are shown by month. */
const dayRowsMax = 62

interface Row extends Figures {
  label: string
}

interface Column {
  header: string
  cell(row: Row): number | null
  /** Shown only when there is anything to show. */
  optional?: true
}

/** The figures day by day, or month by month, with a bar for the visits: for the views or the leads where nobody visits. */
export function daysText({ days, totals }: FiguresReport, { style, bar }: Drawn): string {
  const byMonth = days.length > dayRowsMax
  const rows = byMonth ? monthRows(days) : days.map((day) => ({ ...day, label: dayLabel(day.date) }))
  const drawn = (['visits', 'views', 'leads'] as const).find((figure) => totals[figure] > 0) ?? 'visits'
  const most = rows.reduce((most, row) => Math.max(most, row[drawn]), 1)
  const columns = columnsOf(byMonth).filter(({ optional, cell }) => !optional || rows.some((row) => cell(row) !== 0))
  const table = tableText(
    {
      headers: [byMonth ? 'Month' : 'Day', '', ...columns.map(({ header }) => header)],
      rows: rows.map((row): Cell[] => [row.label, bar(row[drawn] / most), ...columns.map(({ cell }) => cell(row))]),
      empty: '',
    },
    style,
  )
  return `${style('heading', byMonth ? 'Month by month' : 'Day by day')} (bars: ${drawn})\n${table}`
}

const columnsOf = (byMonth: boolean): Column[] => [
  { header: 'Visits', cell: ({ visits }) => visits },
  // A visitor of two days of a month is one visitor, which the days do not tell.
  ...(byMonth ? [] : [{ header: 'Visitors', cell: ({ visitors }: Row) => visitors }]),
  { header: 'Views', cell: ({ views }) => views },
  { header: 'By bots', cell: ({ viewsByBots }) => viewsByBots, optional: true },
  { header: 'Events', cell: ({ events }) => events, optional: true },
  { header: 'Leads', cell: ({ leads }) => leads },
  { header: 'Clicks', cell: ({ clicks }) => clicks.human, optional: true },
  { header: 'Not human', cell: ({ clicks }) => clicks.suspected + clicks.machine, optional: true },
  { header: 'Refused', cell: ({ refused }) => refused, optional: true },
]

/** `2026-11-24` → `Tue 24 Nov`. */
function dayLabel(date: string): string {
  const [weekday = '', day = '', month = ''] = new Date(date).toUTCString().split(' ')
  return `${weekday.replace(',', '')} ${day} ${month}`
}

function monthRows(days: FiguresReport['days']): Row[] {
  const months = Map.groupBy(days, ({ date }) => date.slice(0, 'YYYY-MM'.length))
  return [...months].map(([label, days]) => ({ ...total(days), label }))
}
