import { textsOf } from '../../language/language.ts'
import { count, plural } from '../../lib/quantities.ts'
import { refusalReason } from '../../operations/refusals/refusal-advice.ts'
import { type ChannelTable, channelTableNames } from '../../report/channels.ts'
import {
  type DailyFigures,
  type FigureList,
  type FiguresReport,
  type ListRow,
  lists,
  type ReportedList,
  reportedLists,
} from '../../report/figures.ts'
import { total } from '../../report/figures-report.ts'
import { percentOf } from '../../report/percent.ts'
import type { Layout, Style } from '../output/style.ts'
import { type Cell, type TextTable, tableText, widthOf } from '../output/table.ts'
import { printable, shortened } from '../output/text.ts'

interface ReportedAccount {
  handle: string
  name: string
  timezone: string
}

/** What the figures are of. */
interface ReportShown {
  account: ReportedAccount
  /** Unprocessed records of all accounts. */
  waiting: number
}

/** Limits the rows of a table of names, which strangers can multiply; `--json` has them all. */
const namedRowsMax = 20

/** The report in words, suitable for a mail. */
export function reportText(figures: FiguresReport, { account, waiting }: ReportShown, layout: Layout): string {
  const { from, to, days } = figures
  const { handle, name, timezone } = account
  const heading = layout.style('heading', printable(`${name} (${handle}), ${from} to ${to}, days in ${timezone}`))
  const isEmpty = days.length === 0 || isNothing(figures)
  const parts = isEmpty
    ? [waiting > 0 ? stillWaiting(waiting) : nextStep(figures, account)]
    : [
        waiting > 0 ? notInThem(waiting) : '',
        headline(figures, layout),
        daysText(figures, layout),
        ...named(figures, layout),
        lost(figures),
      ]
  return [`${heading}\n`, ...parts.filter((part) => part !== '')].join('\n')
}

const isNothing = ({ totals, messages, refusals, missing, quarantined }: FiguresReport): boolean => {
  const { clicks, ...counts } = totals
  const others = messages.length + refusals.length + missing.length + quarantined
  return Object.values(counts).every((count) => !count) && others === 0
}

const stillWaiting = (waiting: number): string =>
  `Nothing is known yet: ${recordsWait(waiting)} to be processed. Run it again.\n`

/** Placed beside the figures, where readers will see it. */
const notInThem = (waiting: number): string =>
  `Not all is in these figures: ${recordsWait(waiting)} to be processed. Run it again.\n`

const recordsWait = (waiting: number): string =>
  `${plural(waiting, 'record')} of this box still ${waiting === 1 ? 'waits' : 'wait'}`

function nextStep({ known, from, to }: FiguresReport, { handle }: ReportedAccount): string {
  if (known !== null) {
    return `Nothing came in from ${from} to ${to}. There are figures from ${known.first} to ${known.last}: capture report ${handle} --since ${known.first}\n`
  }
  return `Nothing has come in yet: no page was viewed, no form sent, no event, no click.
  capture preview ${handle} test   an address to try forms and the script at (what it sends is counted nowhere)
  capture account show ${handle}   its domains and forms: what a page has to name
  capture refusals ${handle}       what was refused, and what to do about it
`
}

/** The totals, each with its exclusions below, or beside it in a narrow terminal. */
function headline(figures: FiguresReport, { style, columns: room = Number.POSITIVE_INFINITY }: Layout): string {
  const totals = shownTotals(figures)
  const asides = totals.map(({ asides }) => asides.join(', '))
  const totalsRow = totals.map(({ total }) => count(total))
  const rows = asides.some((aside) => aside !== '') ? [totalsRow, asides] : [totalsRow]
  const wide = tableText({ headers: totals.map(({ header }) => header), rows, empty: '' }, style)
  if (widthOf(wide) <= room) return wide
  const digits = Math.max(...totalsRow.map((total) => total.length))
  const lines = totals.flatMap(({ header, total, asides: [first = '', ...more] }): Cell[][] => [
    [header, count(total).padStart(digits), first],
    ...more.map((aside) => ['', '', aside]),
  ])
  return tableText({ headers: ['In all', '', ''], rows: lines, empty: '' }, style)
}

interface ShownTotal {
  header: string
  total: number
  /** What is not in it. */
  asides: string[]
}

function shownTotals({ totals, quarantined }: FiguresReport): ShownTotal[] {
  const { visits, visitors, views, viewsByBots, events, eventsByBots, leads, likelyDuplicates, clicks } = totals
  const shown: ShownTotal[] = [
    { header: 'Visits', total: visits, asides: [] },
    { header: 'Visitors', total: visitors, asides: [] },
    { header: 'Views', total: views, asides: and(viewsByBots, 'by bots') },
    {
      header: 'Leads',
      total: leads,
      asides: and(likelyDuplicates, likelyDuplicates === 1 ? 'likely duplicate' : 'likely duplicates'),
    },
    {
      header: 'Human clicks',
      total: clicks.human,
      asides: [...and(clicks.suspected, 'suspected'), ...and(clicks.machine, 'by machines')],
    },
  ]
  if (events + eventsByBots > 0)
    shown.splice(3, 0, { header: 'Events', total: events, asides: and(eventsByBots, 'by bots') })
  const kept = quarantined === 0 ? [] : [`${count(quarantined)} in quarantine`]
  if (totals.refused + quarantined > 0) shown.push({ header: 'Refused', total: totals.refused, asides: kept })
  return shown
}

const and = (number: number, what: string): string[] => (number === 0 ? [] : [`and ${count(number)} ${what}`])

function named(figures: FiguresReport, { style, columns: room }: Layout): string[] {
  const { goals, funnels, splits, refusals, missing } = figures
  const tables: NamedTable[] = [
    [
      'Goals',
      ['Goal', 'Visits', 'Of all visits', 'Times'],
      goals.map(({ name, visits, conversion, times, since }) => [
        since === null ? name : `${name} (since ${since})`,
        visits,
        percent(conversion),
        times,
      ]),
    ],
    ...funnels.map(funnelTable),
    ...splits.map(splitTable),
    ...channelTableNames.map((name) => channelTable(name, figures)),
    ...reportedLists.map((name) => listTable(name, figures[name])),
    [
      'Refused, and why',
      ['Requests', 'Endpoint', 'Check', 'Why'],
      refusals.map(({ endpoint, check, count }) => [count, endpoint, check, refusalReason(check)]),
    ],
    ['Asked for where nothing is', ['Requests', 'Path'], missing.map(({ path, count }) => [count, path])],
  ]
  return tables
    .filter(([, , rows]) => rows.length > 0)
    .map(([title, headers, rows]) => {
      const table = tableText({ headers, rows: rows.slice(0, namedRowsMax), empty: '' }, style, room)
      const more = rows.length - namedRowsMax
      return `${style('heading', title)}\n${table}${more > 0 ? `and ${plural(more, 'more row')}: --json has them all\n` : ''}`
    })
}

/** The command speaks English. */
const texts = textsOf('en').report

const listTable = (name: ReportedList, rows: readonly ListRow[]): NamedTable => {
  const { title, heading } = texts.lists[name]
  const { key, counts }: FigureList = lists[name]
  const columns = Object.entries(counts)
  const headings = columns.map(([, { heading }]) => heading(texts))
  const cells = rows.map((row) => columns.map(([field]) => Number(row[field])))
  // A form's id says which it is.
  if (key !== 'id')
    return [title, [heading, ...headings], cells.map((cells, at) => [rows[at]?.[key] ?? '(none)', ...cells])]
  const named = cells.map((cells, at) => [rows[at]?.name ?? '(no longer there)', rows[at]?.id ?? '', ...cells])
  return [title, [heading, 'Id', ...headings], named]
}

/** Addresses have no words to break, and three figures stand beside them. */
const channelColumnsMax = 32

const channelTable = (name: ChannelTable, { channels }: FiguresReport): NamedTable => {
  const { title, heading } = texts.channels[name]
  const { visits, leads, conversion } = texts.figures
  return [
    title,
    [heading, visits, leads, conversion],
    channels[name].map(({ name, visits, leads, conversion }) => [
      shortened(printable(name), channelColumnsMax),
      visits,
      leads,
      percent(conversion),
    ]),
  ]
}

type NamedTable = [title: string, headers: string[], rows: TextTable['rows']]

function funnelTable({ name, steps, since }: FiguresReport['funnels'][number]): NamedTable {
  const first = steps[0]?.visits ?? 0
  const rows = steps.map(({ form, event, page, visits }, position) => [
    `${position + 1}. ${form ?? event ?? page ?? ''}`,
    visits,
    percent(percentOf(visits, first)),
  ])
  return [`Funnel: ${since === null ? name : `${name} (since ${since})`}`, ['Step', 'Visits', 'Of the first'], rows]
}

const splitTable = ({ page, variants, verdict, since }: FiguresReport['splits'][number]): NamedTable => [
  `Versions of /${page}${since === null ? '' : ` (since ${since})`}: ${verdict}`,
  ['Version', 'Visits', 'Leads', 'Conversion', '95% from', 'to'],
  variants.map(({ name, visits, leads, conversion, low, high }) => [
    name,
    visits,
    leads,
    percent(conversion),
    percent(low),
    percent(high),
  ]),
]

const percent = (share: number | null): string => (share === null ? '-' : `${share.toFixed(1)}%`)

function lost({ totals: { lostPageViews } }: FiguresReport): string {
  if (lostPageViews === 0) return ''
  const are = lostPageViews === 1 ? 'is' : 'are'
  return `${plural(lostPageViews, 'page view')} could not be stored and ${are} in no figure.\n`
}

/** Advice for the operator, which is not part of the report for a customer. `fromAt`: start of the report, epoch milliseconds. */
export function reportHints(
  { totals, quarantined }: FiguresReport,
  { handle, fromAt }: { handle: string; fromAt: number },
): string[] {
  const since = new Date(fromAt).toISOString().replace('.000', '')
  const lines: string[] = []
  if (totals.lostPageViews > 0) lines.push('Why page views could not be stored: capture doctor')
  if (totals.refused > 0) lines.push(`What to do about refusals: capture refusals ${handle} --since ${since}`)
  if (quarantined > 0) lines.push(`Submissions in quarantine: capture submission list ${handle} --refused`)
  return lines
}

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
function daysText({ days, totals }: FiguresReport, { style, columns: room }: Layout): string {
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
