import { type Column, fields } from './csv.ts'
import { type AimFigures, countedFigures, type FiguresReport } from './figures.ts'

/** A table of a report, ready to be written as CSV. */
export interface ReportTable {
  headers: string[]
  rows: string[][]
}

const table = <Row>(rows: readonly Row[], columns: Column<Row>[]): ReportTable => ({
  headers: columns.map(({ header }) => header),
  rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
})

type Day = FiguresReport['days'][number]
type Message = FiguresReport['messages'][number]
type Clicks = Day['clicks']

const clickColumns = <Row>(of: (row: Row) => Clicks): Column<Row>[] => [
  { header: 'humanClicks', cell: (row) => String(of(row).human) },
  { header: 'suspectedClicks', cell: (row) => String(of(row).suspected) },
  { header: 'machineClicks', cell: (row) => String(of(row).machine) },
]

const aims = ['form', 'event', 'page'] as const satisfies (keyof AimFigures)[]

/** Every table of a report, under the name of its field in the JSON. */
export const reportTables = {
  days: ({ days }) =>
    table<Day>(days, [
      ...fields<Day>('date', ...countedFigures),
      ...clickColumns<Day>(({ clicks }) => clicks),
      ...fields<Day>('refused', 'lostPageViews'),
    ]),
  sources: ({ sources }) => table(sources, fields('source', 'leads')),
  campaigns: ({ campaigns }) => table(campaigns, fields('campaign', 'leads')),
  pages: ({ pages }) => table(pages, fields('slug', 'views')),
  forms: ({ forms }) => table(forms, fields('id', 'name', 'leads', 'likelyDuplicates')),
  messages: ({ messages }) =>
    table(messages, [...fields<Message>('message'), ...clickColumns<Message>((message) => message)]),
  goals: ({ goals }) => table(goals, fields('name', ...aims, 'visits', 'times', 'ofVisits', 'conversion', 'since')),
  funnels: ({ funnels }) =>
    table(
      funnels.flatMap(({ name, steps }) => steps.map((step, position) => ({ ...step, name, step: position + 1 }))),
      fields('name', 'step', ...aims, 'visits'),
    ),
  refusals: ({ refusals }) => table(refusals, fields('endpoint', 'check', 'count')),
} satisfies Record<string, (figures: FiguresReport) => ReportTable>

export type ReportTableName = keyof typeof reportTables

export const reportTableNames = Object.keys(reportTables) as ReportTableName[]
