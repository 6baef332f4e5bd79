import { hourOf, type Measure } from '../processing/figures/measures.ts'
import { type FiguresReport, type HourlyFigure, hourlyFigures } from './figures.ts'

/** What came in on a day once a time of it was over. */
type Later = Record<HourlyFigure, number>

export const figuresAfter = (
  hours: readonly { measure: Measure; hour: number; count: number }[],
  at: number,
): Later => {
  // The hour that has begun counts in full.
  const late = hours.filter(({ hour }) => hour > hourOf(at))
  const sumOf = (wanted: Measure) =>
    late.reduce((sum, { measure, count }) => (measure === wanted ? sum + count : sum), 0)
  const sums = Object.entries(hourlyFigures).map(([figure, measure]) => [figure, sumOf(measure)])
  return Object.fromEntries(sums) as Later
}

/**
 * The figures as if their last day had ended then. What names split is of the whole day.
 *
 * @param visitorsBefore visitors of the days before the last one
 */
export function withoutLater(report: FiguresReport, later: Later, visitorsBefore: number | null): FiguresReport {
  const last = report.days.at(-1)
  if (last === undefined) return report
  const { totals } = report
  const before = report.days.slice(0, -1)
  const shareByThen = last.visitors === 0 ? 1 : without(last.visitors, later.visitors) / last.visitors
  // Which of the visitors of those hours had come on earlier days is not known: as many as of the whole day.
  const visitors =
    totals.visitors === null || visitorsBefore === null
      ? null
      : visitorsBefore + Math.round((totals.visitors - visitorsBefore) * shareByThen)
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
