import type { Column } from './csv.ts'
import type { AimFigures, DailyFigures, FiguresReport } from './figures.ts'

/** A table of a report, ready to be written as CSV. */
export interface ReportTable {
  headers: string[]
  rows: string[][]
}

const table = <Row>(rows: readonly Row[], columns: Column<Row>[]): ReportTable => ({
  headers: columns.map(({ header }) => header),
  rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
})

/** A column of the same name as the field. */
const field = <Row, Name extends keyof Row & string>(header: Name): Column<Row> => ({
  header,
  cell: (row) => String(row[header] ?? ''),
})

const plainFigures = [
  'visits',
  'visitors',
  'views',
  'viewsByBots',
  'events',
  'eventsByBots',
  'leads',
  'likelyDuplicates',
] as const satisfies (keyof DailyFigures)[]

type Day = FiguresReport['days'][number]
type Clicks = Day['clicks']

const clickColumns = <Row>(of: (row: Row) => Clicks): Column<Row>[] => [
  { header: 'humanClicks', cell: (row) => String(of(row).human) },
  { header: 'suspectedClicks', cell: (row) => String(of(row).suspected) },
  { header: 'machineClicks', cell: (row) => String(of(row).machine) },
]

const aimColumns: Column<AimFigures>[] = [field('form'), field('event'), field('page')]

/** Every table of a report, under the name of its field in the JSON. */
export const reportTables = {
  days: ({ days }) =>
    table<Day>(days, [
      field('date'),
      ...plainFigures.map((figure) => field<Day, typeof figure>(figure)),
      ...clickColumns<Day>(({ clicks }) => clicks),
      field('refused'),
      field('lostPageViews'),
    ]),
  sources: ({ sources }) => table(sources, [field('source'), field('leads')]),
  campaigns: ({ campaigns }) => table(campaigns, [field('campaign'), field('leads')]),
  pages: ({ pages }) => table(pages, [field('slug'), field('views')]),
  forms: ({ forms }) => table(forms, [field('id'), field('name'), field('leads'), field('likelyDuplicates')]),
  messages: ({ messages }) =>
    table(messages, [field('message'), ...clickColumns<FiguresReport['messages'][number]>((message) => message)]),
  goals: ({ goals }) =>
    table(goals, [
      field('name'),
      ...aimColumns,
      field('visits'),
      field('times'),
      field('ofVisits'),
      field('conversion'),
      field('since'),
    ]),
  funnels: ({ funnels }) =>
    table(
      funnels.flatMap(({ name, steps }) => steps.map((step, position) => ({ ...step, name, step: position + 1 }))),
      [field('name'), field('step'), ...aimColumns, field('visits')],
    ),
  refusals: ({ refusals }) => table(refusals, [field('endpoint'), field('check'), field('count')]),
} satisfies Record<string, (figures: FiguresReport) => ReportTable>

export type ReportTableName = keyof typeof reportTables

export const reportTableNames = Object.keys(reportTables) as ReportTableName[]
