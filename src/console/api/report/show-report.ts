import { Type } from '@sinclair/typebox'
import { readReport } from '../../../operations/report/read-report.ts'
import { reportJson } from '../../../operations/report/report-json.ts'
import { periodOf } from '../../../operations/report/typed-period.ts'
import { csvLine } from '../../../report/csv.ts'
import { type ReportTable, reportTableNames, reportTables } from '../../../report/report-tables.ts'
import { AnswerNotices } from '../answer-notices.ts'
import { accountEndpoint } from '../endpoint.ts'
import { oneOf } from '../schema.ts'
import { periodProperties, unfitPeriod } from './report-query.ts'
import { reportSchema } from './report-schema.ts'

export const showReport = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/report',
  summary: 'Read the figures of a period as JSON, or one of their tables as CSV',
  scope: 'read',
  clients: 'whole',
  query: Type.Object({
    ...periodProperties,
    format: oneOf(['json', 'csv'], { default: 'json' }),
    table: oneOf(reportTableNames, { default: 'days', description: 'of CSV: the table' }),
  }),
  answer: reportSchema,
  async run({ account, query }, box) {
    const { format, table, ...typed } = query
    try {
      const wanted = { account: account.handle, period: periodOf(typed, box.clock.now()) }
      const notices = new AnswerNotices()
      const read = await readReport(box, wanted, notices.onNotice)
      if (format === 'json') return { value: { ...reportJson(read), ...notices.member() } }
      const { from, to } = read.figures
      return csvAnswer(reportTables[table](read.figures), `${account.handle}-${table}-${from}-${to}.csv`)
    } catch (error) {
      return unfitPeriod(error)
    }
  },
})

const csvAnswer = ({ headers, rows }: ReportTable, filename: string): Response =>
  new Response([headers, ...rows].map((cells) => csvLine(cells)).join(''), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${filename}"`,
    },
  })
