import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { barChart } from '../chart/bar-chart.ts'
import { seriesCharts } from '../chart/series-charts.ts'
import type { ReportView } from '../report-view.ts'
import type { Series, SeriesPoint } from '../series.ts'
import type { ReportExtras } from './extras.ts'

/** The charts of a report. `daysTable` has their figures. */
export function chartsSection(
  { series, seriesBefore, beforeInWords }: ReportView,
  extras: ReportExtras,
): Markup | null {
  const charts = seriesCharts(series, seriesBefore)
  if (charts.length === 0) return null
  const key =
    seriesBefore === null
      ? null
      : html`<p class="key"><svg aria-hidden="true" viewBox="0 0 1 1" preserveAspectRatio="none"><rect class="pale" width="1" height="1"/></svg>Behind: ${beforeInWords}.</p>`
  return html`<section><h2>Over time</h2><div class="charts">${charts.map(
    ({ title, drawn, chart }) =>
      html`<div class="chart-block"><h3>${title}</h3>${barChart(chart)}${extras.files({ title, table: null, drawn })}</div>\n`,
  )}</div>${key}</section>`
}

const units: Record<Series['unit'], string> = { day: 'Day', week: 'Week from', month: 'Month' }

interface Column {
  header: string
  of: (point: SeriesPoint, before: SeriesPoint | undefined) => number | null
}

/** The figures of the charts, and more. */
export function daysTable(view: ReportView, extras: ReportExtras): Markup | null {
  const { unit, points } = view.series
  if (points.length < 2) return null
  const columns = columnsOf(view)
  const rows = points.map((point, index) => {
    const cells = columns.map(({ of }) => of(point, view.seriesBefore?.points[index]))
    return html`<tr><th scope="row">${point.label}</th>${cells.map((cell) => html`<td>${cell === null ? '–' : count(cell)}</td>`)}</tr>\n`
  })
  return html`<section class="daily"><h2 id="in-figures">In figures, by ${unit}</h2><div class="wide" role="region" aria-labelledby="in-figures" tabindex="0"><table class="days">
<thead><tr><th scope="col">${units[unit]}</th>${columns.map(({ header }) => html`<th scope="col">${header}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>${extras.files({ title: `In figures, by ${unit}`, table: 'days', drawn: null })}</section>`
}

function columnsOf({ series, seriesBefore, beforeInWords }: ReportView): Column[] {
  const beside = (what: string, of: (point: SeriesPoint) => number): Column[] =>
    seriesBefore === null
      ? []
      : [{ header: `${what} ${beforeInWords}`, of: (_, before) => (before ? of(before) : null) }]
  const ofDay: Column = { header: 'Visitors', of: ({ visitors }) => visitors }
  return [
    { header: 'Visits', of: ({ visits }) => visits },
    ...beside('Visits', ({ visits }) => visits),
    ...(series.unit === 'day' && seriesBefore === null ? [ofDay] : []),
    { header: 'Page views', of: ({ views }) => views },
    { header: 'Leads', of: ({ leads }) => leads },
    ...beside('Leads', ({ leads }) => leads),
    { header: 'Human clicks', of: ({ clicks }) => clicks },
  ]
}
