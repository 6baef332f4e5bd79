import { startOfMonth, startOfWeek, weekday } from '../../lib/calendar.ts'
import type { FiguresReport } from '../figures.ts'
import { dayLabel, dayOfDate, monthLabel, weekdayLabel } from './dates-text.ts'
import type { DayRange } from './period.ts'

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
}

export interface Series {
  unit: 'day' | 'week' | 'month'
  points: SeriesPoint[]
}

const daysMax = 62
const weeksMax = 26

type Day = FiguresReport['days'][number]

/** Every day of the range, or every week or month of a longer one. */
export function seriesOf({ fromDay, untilDay }: DayRange, days: readonly Day[]): Series {
  const unit = unitFor(untilDay - fromDay)
  const known = new Map(days.map((day) => [dayOfDate(day.date), day]))
  const range = Array.from({ length: untilDay - fromDay }, (_, index) => fromDay + index)
  const groups = [...Map.groupBy(range, starts[unit]).values()]
  const points = groups.map((group, index) => {
    const figures = group.flatMap((day) => known.get(day) ?? [])
    return { ...summed(figures, unit), ...labels(group[0] ?? fromDay, { unit, index, all: groups.length }) }
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

function summed(days: readonly Day[], unit: Series['unit']): Omit<SeriesPoint, 'label' | 'tick'> {
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

function labels(day: number, place: Place): Pick<SeriesPoint, 'label' | 'tick'> {
  const label = { day: weekdayLabel, week: dayLabel, month: monthLabel }[place.unit](day)
  const tick = place.unit === 'month' ? label : dayLabel(day)
  return { label, tick: hasTick(day, place) ? tick : null }
}

/** About seven labels fit on a phone; long rows of days are labelled on Mondays. */
function hasTick(day: number, { unit, index, all }: Place): boolean {
  const ticksMax = 7
  if (unit !== 'day' || all <= ticksMax * 2) return index % Math.ceil(all / (unit === 'month' ? 4 : ticksMax)) === 0
  const everyOther = all > ticksMax * 5 && (day - weekday(day)) % 2 !== 0
  // The last bars have no space for a label.
  return weekday(day) === 1 && !everyOther && index < all - 3
}
