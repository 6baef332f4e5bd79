import { Type } from '@sinclair/typebox'
import { count, oneOf, orNull, text, textOrNull } from '../../lib/schema.ts'
import { type ReportJson, readReport, reportJson, typedPeriod } from '../../operations/report/read-report.ts'
import { channelTableNames } from '../../report/channels.ts'
import { csvLine } from '../../report/csv.ts'
import { clickCounts, dayFigures, type ListName, listNames, lists } from '../../report/figures.ts'
import { periodOf } from '../../report/report-period.ts'
import { type ReportTable, reportTableNames, reportTables } from '../../report/report-tables.ts'
import { listShares, shareReport, shareSchema, unshareReport } from '../share/report-share.ts'
import { accountEndpoint, actEndpoint } from './endpoint.ts'
import { AnswerNotices, accountList, noticesMember, pageOf } from './list.ts'

const aim = {
  form: Type.Optional(text),
  event: Type.Optional(text),
  page: Type.Optional(text),
}
const counts = (fields: object) => Object.fromEntries(Object.keys(fields).map((field) => [field, count]))
const figures = {
  ...counts(dayFigures),
  clicks: Type.Object(counts(clickCounts)),
  refused: count,
  lostPageViews: count,
}
const rows = (name: ListName) =>
  Type.Array(
    Type.Object({
      [lists[name].key]: name === 'messages' ? textOrNull : text,
      ...(name === 'forms' ? { name: textOrNull } : {}),
      ...counts(lists[name].counts),
    }),
  )

const channelRows = Type.Array(
  Type.Object({
    name: text,
    visits: count,
    visitors: count,
    leads: count,
    conversion: orNull(Type.Number()),
  }),
)

/** docs/reports.md, "JSON". */
const reportSchema = Type.Unsafe<ReportJson & { notices?: string[] }>(
  Type.Object({
    account: text,
    name: text,
    timezone: text,
    from: text,
    to: text,
    totals: Type.Object(figures),
    days: Type.Array(Type.Object({ date: text, ...figures })),
    ...Object.fromEntries(listNames.map((name) => [name, rows(name)])),
    channels: Type.Object(Object.fromEntries(channelTableNames.map((name) => [name, channelRows]))),
    goals: Type.Array(
      Type.Object({
        name: text,
        ...aim,
        visits: count,
        times: count,
        ofVisits: count,
        conversion: orNull(Type.Number()),
        since: textOrNull,
      }),
    ),
    funnels: Type.Array(
      Type.Object({
        name: text,
        steps: Type.Array(Type.Object({ ...aim, visits: count })),
        ofVisits: count,
        conversion: orNull(Type.Number()),
        since: textOrNull,
      }),
    ),
    splits: Type.Array(
      Type.Object({
        page: text,
        variants: Type.Array(
          Type.Object({
            name: text,
            visits: count,
            leads: count,
            conversion: orNull(Type.Number()),
            low: orNull(Type.Number()),
            high: orNull(Type.Number()),
          }),
        ),
        verdict: text,
        since: textOrNull,
      }),
    ),
    refusals: Type.Array(Type.Object({ endpoint: text, check: text, count })),
    missing: Type.Array(Type.Object({ path: text, count })),
    quarantined: count,
    known: orNull(Type.Object({ first: text, last: text })),
    waiting: count,
    ...noticesMember,
  }),
)

export const showReport = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/report',
  summary: 'Read the figures of a period as JSON, or one of their tables as CSV',
  scope: 'read',
  clients: 'whole',
  query: Type.Object({
    ...typedPeriod.properties,
    format: oneOf(['json', 'csv'], { default: 'json' }),
    table: oneOf(reportTableNames, { default: 'days', description: 'of CSV: the table' }),
  }),
  answer: reportSchema,
  async run({ account, query }, box) {
    const { format, table, ...typed } = query
    const wanted = { account: account.handle, period: periodOf(typed, box.clock.now()) }
    const notices = new AnswerNotices()
    const read = await readReport(box, wanted, notices.onNotice)
    if (format === 'json') return { value: { ...reportJson(read), ...notices.member() } }
    const { from, to } = read.figures
    const filename = `${account.handle}-${table}-${from}-${to}.csv`
    return csvAnswer(reportTables[table](read.figures), filename, notices.headers())
  },
})

const csvAnswer = ({ headers, rows }: ReportTable, filename: string, more: Record<string, string>): Response =>
  new Response([headers, ...rows].map((cells) => csvLine(cells)).join(''), {
    headers: {
      ...more,
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${filename}"`,
    },
  })

const path = '/accounts/:account/report/share'

export const shareReportEndpoint = actEndpoint(shareReport, { method: 'POST', path, sends: 'body', status: 201 })

export const listSharesEndpoint = accountList({
  path,
  summary: 'List the valid links to reports, latest first',
  scope: 'read',
  item: shareSchema,
  columns: ['id', 'link', 'createdAt', 'expiresAt'],
  read: async ({ account, query }, box) =>
    pageOf(await listShares(box, account), query, {
      key: ({ createdAt, id }) => `${createdAt} ${id}`,
      isReversed: true,
      texts: ({ period }) => Object.values(period).flatMap((part) => part ?? []),
    }),
})

export const revokeShareEndpoint = actEndpoint(unshareReport, { method: 'DELETE', path: `${path}/:share` })
