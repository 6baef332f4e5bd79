import { chartFile } from '../../../report/document/chart/chart-file.ts'
import { seriesCharts } from '../../../report/document/chart/series-charts.ts'
import { messagePage } from '../message-page.ts'
import type { AccountPage } from '../page.ts'
import { securityHeaders } from '../page-answer.ts'
import { fixedPeriodOf } from './asked-period.ts'
import { periodOfCall, viewOf } from './report-call.ts'

/** `/a/ACCOUNT/report/chart/visits`: a chart of the report as an SVG file. */
export const chartFilePage: AccountPage = {
  of: 'account',
  path: '/a/:account/report/chart/:drawn',
  scope: 'read',
  clients: 'whole',
  async show(call, box) {
    const asked = periodOfCall(call, box)
    const { series, seriesBefore, ...view } = await viewOf(call, asked, box)
    const chart = seriesCharts(series, seriesBefore).find(({ drawn }) => drawn === call.params.drawn)
    if (chart === undefined) return messagePage('nothingHere')
    const { account, title: period, beforeInWords, colour } = view
    const { since } = fixedPeriodOf(asked)
    return new Response(chartFile(chart, { account, period, beforeInWords, colour }), {
      headers: {
        ...securityHeaders,
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${call.account.handle}-${chart.drawn}-${since}.svg"`,
      },
    })
  },
}
