import { channelTableNames } from './channels.ts'
import { type Column, fields } from './csv.ts'
import {
  type AimFigures,
  clickCounts,
  type DayFigure,
  dayFigures,
  type FigureList,
  type FiguresReport,
  type ListName,
  type ListRow,
  listNames,
  lists,
} from './figures.ts'

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

const clickColumns: Column<Day>[] = Object.entries(clickCounts).map(([verdict, { column }]) => ({
  header: column,
  cell: ({ clicks }) => String(clicks[verdict as keyof typeof clickCounts]),
}))

/** The name of a row, what the configuration says of it, and its counts. */
const listTable = ({ key, counts }: FigureList, rows: readonly ListRow[]): ReportTable =>
  table(rows, [
    ...fields<ListRow>(key, ...(key === 'id' ? ['name'] : [])),
    ...Object.entries(counts).map(([field, { column = field }]) => ({
      header: column,
      cell: (row: ListRow) => String(row[field]),
    })),
  ])

const aims = ['form', 'event', 'page'] as const satisfies (keyof AimFigures)[]

const listTables = Object.fromEntries(
  listNames.map((name) => [name, (figures: FiguresReport) => listTable(lists[name], figures[name])]),
) as Record<ListName, (figures: FiguresReport) => ReportTable>

/** Every table of a report, under the name of its field in the JSON. */
export const reportTables = {
  days: ({ days }) =>
    table<Day>(days, [
      ...fields<Day>('date', ...(Object.keys(dayFigures) as DayFigure[])),
      ...clickColumns,
      ...fields<Day>('refused', 'lostPageViews'),
    ]),
  ...listTables,
  channels: ({ channels }) =>
    table(
      channelTableNames.flatMap((channel) => channels[channel].map((row) => ({ channel, ...row }))),
      fields('channel', 'name', 'visits', 'visitors', 'leads', 'conversion'),
    ),
  goals: ({ goals }) => table(goals, fields('name', ...aims, 'visits', 'times', 'ofVisits', 'conversion', 'since')),
  funnels: ({ funnels }) =>
    table(
      funnels.flatMap(({ name, steps }) => steps.map((step, position) => ({ ...step, name, step: position + 1 }))),
      fields('name', 'step', ...aims, 'visits'),
    ),
  splits: ({ splits }) =>
    table(
      splits.flatMap(({ page, variants, since }) => variants.map((variant) => ({ ...variant, page, since }))),
      fields('page', 'name', 'visits', 'leads', 'conversion', 'low', 'high', 'since'),
    ),
  refusals: ({ refusals }) => table(refusals, fields('endpoint', 'check', 'count')),
  missing: ({ missing }) => table(missing, fields('path', 'count')),
} satisfies Record<string, (figures: FiguresReport) => ReportTable>

export type ReportTableName = keyof typeof reportTables

export const reportTableNames = Object.keys(reportTables) as ReportTableName[]
