import { reportLists } from '../../../report/document/lists.ts'
import type { ReportView } from '../../../report/document/report-view.ts'
import { seriesCharts } from '../../../report/document/series.ts'
import { chartFile, listFile } from '../../../report/document/svg-files.ts'
import type { AccountPage } from '../page.ts'
import { messagePage, securityHeaders } from '../page-answer.ts'
import { fixedPeriodOf, periodOfCall, viewOf } from './asked-period.ts'

/** `/a/ACCOUNT/report/chart/visits`: a chart or a list of the report as an SVG file. */
export const chartFilePage: AccountPage = {
  of: 'account',
  path: '/a/:account/report/chart/:drawn',
  scope: 'read',
  clients: 'whole',
  async show(call, box) {
    const asked = periodOfCall(call, box)
    const { drawn = '' } = call.params
    const picture = pictureOf(drawn, await viewOf(call, asked, box))
    if (picture === null) return messagePage('nothingHere')
    const { since } = fixedPeriodOf(asked)
    return new Response(picture, {
      headers: {
        ...securityHeaders,
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${call.account.handle}-${drawn}-${since}.svg"`,
      },
    })
  },
}

/** `null`: the report draws nothing of this name. */
function pictureOf(name: string, view: ReportView): string | null {
  const chart = seriesCharts(view.series, view.seriesBefore).find(({ drawn }) => drawn === name)
  if (chart !== undefined) return chartFile(chart, view)
  const list = reportLists(view).find(({ drawn }) => drawn === name)
  return list === undefined ? null : listFile(list, view)
}
