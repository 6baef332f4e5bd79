import type { FiguresReport } from '../../../src/report/figures.ts'
import type { AccountTruth, Counted } from './account-truth.ts'
import { datesBetween } from './local-date.ts'

/** A figure of each date, and in total. */
export interface Daily {
  days: Record<string, number>
  total: number
}

/** Counts what stands on the dates of a report, each thing once for its date. */
export class TrueFigures {
  private readonly dates: readonly string[]

  constructor(
    readonly truth: AccountTruth,
    { from, to }: { from: string; to: string },
  ) {
    this.dates = datesBetween(from, to)
  }

  within<Item extends Counted>(items: readonly Item[]): Item[] {
    return items.filter(({ date }) => this.dates.includes(date))
  }

  daily(items: readonly Counted[]): Daily {
    const days = Object.fromEntries(this.dates.map((date) => [date, 0]))
    const counted = this.within(items)
    for (const { date } of counted) days[date] = (days[date] ?? 0) + 1
    return { days, total: counted.length }
  }

  /** How often each name stands there. */
  byName<Item extends Counted>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const item of this.within(items)) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1
    return counts
  }
}

/** Of a day; visitors in total are known, since nothing has expired. */
type Figures = Omit<FiguresReport['days'][number], 'date'>

/** A figure as the report has it. */
export const reported = ({ days, totals }: FiguresReport, figure: (figures: Figures) => number): Daily => ({
  days: Object.fromEntries(days.map((day) => [day.date, figure(day)])),
  total: figure({ ...totals, visitors: totals.visitors ?? Number.NaN }),
})

/** Named counts as the report has them, without those that are 0. */
export const named = (counts: readonly [name: string, count: number][]): Record<string, number> =>
  Object.fromEntries(counts.filter(([, count]) => count !== 0))
