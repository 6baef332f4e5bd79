import { count, plural } from '../../../lib/quantities.ts'
import type { Series, SeriesPoint } from '../series.ts'
import type { BarChart } from './bar-chart.ts'

/** A chart of a report. */
export interface SeriesChart {
  drawn: DrawnFigure
  title: string
  chart: BarChart
}

/** Which figure a chart shows. */
export type DrawnFigure = 'visits' | 'views' | 'leads' | 'clicks'

const titles: Record<DrawnFigure, [title: string, one: string]> = {
  visits: ['Visits', 'visit'],
  views: ['Page views', 'page view'],
  leads: ['Leads', 'lead'],
  clicks: ['Human clicks', 'human click'],
}

/** A chart of fewer points adds nothing to the figure. */
const pointsMin = 2

/** At most two charts: of visits (or views), and of leads (or clicks). None if nothing happened. */
export function seriesCharts(series: Series, before: Series | null): SeriesChart[] {
  if (series.points.length < pointsMin) return []
  const first = firstDrawn(['visits', 'views'], series)
  const second = firstDrawn(['leads', 'clicks'], series)
  return [first, second].flatMap((drawn) => (drawn === null ? [] : [seriesChart(drawn, series, before)]))
}

const firstDrawn = (choices: readonly DrawnFigure[], { points }: Series): DrawnFigure | null =>
  choices.find((drawn) => points.some((point) => point[drawn] > 0)) ?? null

function seriesChart(drawn: DrawnFigure, { unit, points }: Series, before: Series | null): SeriesChart {
  const [title, one] = titles[drawn]
  const bars = points.map((point) => ({
    value: point[drawn],
    hint: `${point.label}: ${plural(point[drawn], one)}`,
    tick: point.tick,
  }))
  const heading = `${title} by ${unit}`
  return {
    drawn,
    title: heading,
    chart: {
      summary: `${heading}: ${highest(points, drawn)}`,
      bars,
      before: before?.points.map((point) => point[drawn]) ?? null,
    },
  }
}

function highest(points: readonly SeriesPoint[], drawn: DrawnFigure): string {
  const sum = points.reduce((sum, point) => sum + point[drawn], 0)
  const top = points.reduce((top, point) => (point[drawn] > top[drawn] ? point : top))
  return `${count(sum)} in all, most of them in ${top.label} (${count(top[drawn])}).`
}
