import type { DayStyle, Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import { startOfMonth, startOfMonthAfter, startOfWeek, weekday } from '../../lib/calendar.ts'
import type { FiguresReport } from '../figures.ts'
import type { BarChart } from './charts.ts'
import { type DayRange, dayOfDate } from './period.ts'

/** The figures of a stretch of time that a chart and its table show side by side. */
export interface SeriesPoint {
  /** `Mon 12 Oct`, `12 Oct`, `Oct 2026`. */
  label: string
  /** The text below the bar; `null`: none, to leave space for the others. */
  tick: string | null
  visits: number
  views: number
  leads: number
  clicks: number
  /** Only for single days: a visitor of two days counts once in a longer stretch. */
  visitors: number | null
  /** Its day, week or month is not over, or not all of it is within the range. */
  isPart: boolean
}

export interface Series {
  unit: 'day' | 'week' | 'month'
  points: SeriesPoint[]
}

const daysMax = 62
const weeksMax = 26

type Day = FiguresReport['days'][number]

/** Every day of the range, or every week or month of a longer one. @param openDay the day that is not over; `null`: all are */
export function seriesOf(
  { fromDay, untilDay }: DayRange,
  days: readonly Day[],
  { locale, openDay = null }: { locale: Locale; openDay?: number | null },
): Series {
  const unit = unitFor(untilDay - fromDay)
  const known = new Map(days.map((day) => [dayOfDate(day.date), day]))
  const range = Array.from({ length: untilDay - fromDay }, (_, index) => fromDay + index)
  const groups = [...Map.groupBy(range, starts[unit]).values()]
  const points = groups.map((group, index) => {
    const figures = group.flatMap((day) => known.get(day) ?? [])
    const first = group[0] ?? fromDay
    const isPart = group.length < lengths[unit](first) || (openDay !== null && group.includes(openDay))
    return { ...summed(figures, unit), ...labels(first, { unit, index, all: groups.length }, locale), isPart }
  })
  return { unit, points }
}

function unitFor(days: number): Series['unit'] {
  if (days <= daysMax) return 'day'
  return days <= weeksMax * 7 ? 'week' : 'month'
}

const starts: Record<Series['unit'], (day: number) => number> = {
  day: (day) => day,
  week: startOfWeek,
  month: startOfMonth,
}

/** Days of the stretch that a day is in. */
const lengths: Record<Series['unit'], (day: number) => number> = {
  day: () => 1,
  week: () => 7,
  month: (day) => startOfMonthAfter(day, 1) - startOfMonth(day),
}

function summed(days: readonly Day[], unit: Series['unit']): Omit<SeriesPoint, 'label' | 'tick' | 'isPart'> {
  const sum = (figure: (day: Day) => number): number => days.reduce((sum, day) => sum + figure(day), 0)
  return {
    visits: sum(({ visits }) => visits),
    views: sum(({ views }) => views),
    leads: sum(({ leads }) => leads),
    clicks: sum(({ clicks }) => clicks.human),
    visitors: unit === 'day' ? sum(({ visitors }) => visitors) : null,
  }
}

interface Place {
  unit: Series['unit']
  index: number
  all: number
}

const labelStyles: Record<Series['unit'], DayStyle> = { day: 'weekdayShort', week: 'short', month: 'monthShort' }

function labels(day: number, place: Place, locale: Locale): Pick<SeriesPoint, 'label' | 'tick'> {
  const label = locale.day(day, labelStyles[place.unit])
  const tick = place.unit === 'month' ? label : locale.day(day, 'short')
  return { label, tick: hasTick(day, place) ? tick : null }
}

/** Five labels fit on a phone, and four months; long rows of days are labelled on Mondays. */
function hasTick(day: number, { unit, index, all }: Place): boolean {
  const ticksMax = 7
  // The last of many bars have no space for a label.
  const isAtTheEnd = all > ticksMax * 2 && index >= all - 3
  if (unit !== 'day' || all <= ticksMax * 3)
    return index % Math.ceil(all / (unit === 'month' ? 4 : 5)) === 0 && !(unit === 'day' && isAtTheEnd)
  const everyOther = all > ticksMax * 5 && (day - weekday(day)) % 2 !== 0
  return weekday(day) === 1 && !everyOther && !isAtTheEnd
}

/** A chart of a report. */
export interface SeriesChart {
  drawn: DrawnFigure
  title: string
  chart: BarChart
}

/** Which figure a chart shows. */
export type DrawnFigure = 'visits' | 'views' | 'leads' | 'clicks'

/** A chart of fewer points adds nothing to the figure. */
const pointsMin = 2

/** At most two charts: of visits (or views), and of leads (or clicks). None if nothing happened. */
export function seriesCharts({ series, seriesBefore, locale }: ChartedView): SeriesChart[] {
  if (series.points.length < pointsMin) return []
  const first = firstDrawn(['visits', 'views'], series)
  const second = firstDrawn(['leads', 'clicks'], series)
  return [first, second].flatMap((drawn) =>
    drawn === null ? [] : [seriesChart(drawn, { series, seriesBefore, locale })],
  )
}

interface ChartedView {
  series: Series
  seriesBefore: Series | null
  locale: Locale
}

const firstDrawn = (choices: readonly DrawnFigure[], { points }: Series): DrawnFigure | null =>
  choices.find((drawn) => points.some((point) => point[drawn] > 0)) ?? null

const titleNames = { day: 'byDay', week: 'byWeek', month: 'byMonth' } as const

function seriesChart(drawn: DrawnFigure, { series, seriesBefore, locale }: ChartedView): SeriesChart {
  const { unit, points } = series
  const texts = locale.texts.report
  const title = filled(texts.series[titleNames[unit]], { figure: texts.figures[drawn] })
  const bars = points.map((point) => ({
    value: point[drawn],
    label: point.label,
    hint: `${point.label}${point.isPart ? ` (${texts.series.part})` : ''}: ${locale.plural(texts.counted[drawn], point[drawn])}`,
    tick: point.tick,
    isPart: point.isPart,
  }))
  return {
    drawn,
    title,
    chart: {
      summary: `${title}: ${highest(points, drawn, locale)}`,
      bars,
      before: seriesBefore?.points.map((point) => point[drawn]) ?? null,
    },
  }
}

function highest(points: readonly SeriesPoint[], drawn: DrawnFigure, locale: Locale): string {
  const sum = points.reduce((sum, point) => sum + point[drawn], 0)
  const top = points.reduce((top, point) => (point[drawn] > top[drawn] ? point : top))
  const values = { sum: locale.count(sum), label: top.label, most: locale.count(top[drawn]) }
  return filled(locale.texts.report.series.highest, values)
}
