import { localDay, startOfDay } from '../lib/local-day.ts'
import { WallClock } from '../lib/local-time.ts'
import { hourMs, type Measure } from '../processing/figures/measures.ts'
import { type FiguresReport, type HourlyFigure, hourlyFigures } from './figures.ts'

/** What came in on a day once a time of it was over. */
type Later = Record<HourlyFigure, number>

/** A day, and an instant of it; when it begins and ends, epoch milliseconds. */
export interface PartOfDay {
  begin: number
  at: number
  end: number
}

const dayMs = 86_400_000

/** The part of a day up to the time that clocks show now, whose day may have an hour more or less. */
export function sameTimeOn(day: number, now: number, timezone: string): PartOfDay {
  const clock = new WallClock(timezone)
  const wall = clock.wallOf(now) - (localDay(now, timezone) - day) * dayMs
  // Where clocks skip an hour, its times are all the moment at which they do.
  const at = Math.min(clock.instantOf(wall), clock.instantOf(Math.ceil(wall / hourMs) * hourMs))
  return { begin: startOfDay(day, timezone), at, end: startOfDay(day + 1, timezone) }
}

/** Of the hour that was under way, the share of it that was to come. */
export function figuresAfter(
  hours: readonly { measure: Measure; hour: number; count: number }[],
  { begin, at, end }: PartOfDay,
): Later {
  const shareToCome = (hour: number): number => {
    // Where time zones are half an hour apart, a day begins within one.
    const [from, to] = [Math.max(hour * hourMs, begin), Math.min((hour + 1) * hourMs, end)]
    return Math.min(1, Math.max(0, (to - at) / Math.max(1, to - from)))
  }
  const sumOf = (wanted: Measure) =>
    hours.reduce((sum, { measure, hour, count }) => (measure === wanted ? sum + count * shareToCome(hour) : sum), 0)
  const sums = Object.entries(hourlyFigures).map(([figure, measure]) => [figure, Math.round(sumOf(measure))])
  return Object.fromEntries(sums) as Later
}

/**
 * The figures as if their last day had ended then. What names split is of the whole day.
 *
 * @param visitorsBefore visitors of the days before the last one
 */
export function withoutLater(report: FiguresReport, later: Later, visitorsBefore: number): FiguresReport {
  const last = report.days.at(-1)
  if (last === undefined) return report
  const { totals } = report
  const before = report.days.slice(0, -1)
  const shareByThen = last.visitors === 0 ? 1 : without(last.visitors, later.visitors) / last.visitors
  // Which of the visitors of those hours had come on earlier days is not known: as many as of the whole day.
  const visitors = visitorsBefore + Math.round((totals.visitors - visitorsBefore) * shareByThen)
  return {
    ...report,
    days: [...before, { ...reduced(last, later), visitors: without(last.visitors, later.visitors) }],
    totals: { ...reduced(totals, later), visitors },
  }
}

const reduced = <Day extends Omit<FiguresReport['totals'], 'visitors'>>(day: Day, later: Later): Day => ({
  ...day,
  visits: without(day.visits, later.visits),
  views: without(day.views, later.views),
  leads: without(day.leads, later.leads),
  clicks: { ...day.clicks, human: without(day.clicks.human, later.humanClicks) },
})

const without = (count: number, later: number): number => Math.max(0, count - later)
