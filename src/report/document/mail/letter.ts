import type { ReportLetter } from '../../../delivery/report-letter.ts'
import { plural } from '../../../lib/quantities.ts'
import { usualColour } from '../../../lib/readable-colour.ts'
import { chartPicture } from '../chart/chart-picture.ts'
import { seriesCharts } from '../chart/series-charts.ts'
import type { ReportView } from '../report-view.ts'
import { letterHtml } from './letter-html.ts'
import { letterText } from './letter-text.ts'

/** The report as a mail: figures, small pictures, and the same in plain text. */
export function reportLetter(view: ReportView): ReportLetter {
  const charts = seriesCharts(view.series, view.seriesBefore).map((chart, index) => ({
    ...chart,
    cid: `chart-${index + 1}`,
  }))
  return {
    accountName: view.account,
    subject: subjectOf(view),
    text: letterText(view),
    html: letterHtml(view, charts),
    pictures: charts.map(({ cid, chart }) => ({
      cid,
      content: chartPicture(chart, view.colour ?? usualColour).toBase64(),
    })),
  }
}

function subjectOf({ account, title, leads, isExample }: ReportView): string {
  const mark = isExample ? '[Example] ' : ''
  return `${mark}${account}: ${title}, ${leads === 0 ? 'no leads' : plural(leads, 'lead')}`
}
