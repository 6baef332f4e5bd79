import type { DailyFigures, FiguresReport } from '../../report/figures.ts'
import { total } from '../../report/figures-report.ts'
import type { Layout, Style } from '../output/style.ts'
import { type Cell, tableText, widthOf } from '../output/table.ts'

/** Longer reports are shown by month. */
const dayRowsMax = 62

interface Row extends DailyFigures {
  label: string
}

/** Widths of the longest bar, depending on the space. */
const barColumns = [12, 6]

/** Columns to drop, in this order, if there is no space even without bars. */
const leftOutFirst = ['By bots', 'Not human', 'Refused', 'Events', 'Clicks']

interface Column {
  header: string
  cell(row: Row): Cell
  /** Shown only if not all 0. */
  optional?: true
}

/** The figures by day or month, with a bar for visits; without any visits, for views or leads. */
export function daysText({ days, totals }: FiguresReport, { style, columns: room }: Layout): string {
  const byMonth = days.length > dayRowsMax
  const rows = byMonth ? monthRows(days) : days.map((day) => ({ ...day, label: dayLabel(day.date) }))
  const drawn = (['visits', 'views', 'leads'] as const).find((figure) => totals[figure] > 0) ?? 'visits'
  const most = rows.reduce((most, row) => Math.max(most, row[drawn]), 1)
  const figures = columnsOf(byMonth).filter(({ optional, cell }) => !optional || rows.some((row) => cell(row) !== 0))
  const label: Column = { header: byMonth ? 'Month' : 'Day', cell: (row) => row.label }
  const bars = barColumns.map((longest): Column => ({ header: '', cell: (row) => bar(row[drawn] / most, longest) }))

  const { table, columns } = fitting(
    [
      ...bars.map((bar) => [label, bar, ...figures]),
      [label, ...figures],
      ...leftOutFirst.map((_, last) => [label, ...without(leftOutFirst.slice(0, last + 1), figures)]),
    ],
    { rows, style, room },
  )
  const isDrawn = columns.some((column) => bars.includes(column))
  const title = style('heading', byMonth ? 'Month by month' : 'Day by day')
  const leftOut = figures.filter((column) => !columns.includes(column)).map(({ header }) => header)
  const note = leftOut.length === 0 ? '' : `No room for: ${leftOut.join(', ')}\n`
  return `${title}${isDrawn ? ` (bars: ${drawn})` : ''}\n${table}${note}`
}

/** `share` is relative to the longest bar. Any share above 0 is visible. */
const bar = (share: number, columnsMax: number): string =>
  '#'.repeat(share > 0 ? Math.max(1, Math.round(share * columnsMax)) : 0)

const without = (headers: string[], columns: Column[]): Column[] =>
  columns.filter(({ header }) => !headers.includes(header))

/** The first table that fits the terminal, else the last one. */
function fitting(
  layouts: Column[][],
  { rows, style, room = Number.POSITIVE_INFINITY }: { rows: Row[]; style: Style; room: number | undefined },
): { table: string; columns: Column[] } {
  let found: { table: string; columns: Column[] } = { table: '', columns: [] }
  for (const columns of layouts) {
    const headers = columns.map(({ header }) => header)
    const cells = rows.map((row) => columns.map(({ cell }) => cell(row)))
    found = { table: tableText({ headers, rows: cells, empty: '' }, style), columns }
    if (widthOf(found.table) <= room) break
  }
  return found
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
