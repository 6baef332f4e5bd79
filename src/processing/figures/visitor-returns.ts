import type { DaysAround, Figure } from './figures.ts'

/** A change of `visitor_return`: devices that viewed something on a day, so many days after the day before that they did. */
export interface ReturnChange extends Figure {
  count: 1 | -1
}

/** What one more day with a view changes: it lies so long after the one before it, and the one after it no longer does. */
export function returnsOfDay(day: number, { before, after }: DaysAround): ReturnChange[] {
  return [...change(before, day, 1), ...change(before, after, -1), ...change(day, after, 1)]
}

/** The same of a day that is taken back. */
export const returnsTakenBack = (day: number, around: DaysAround): ReturnChange[] =>
  returnsOfDay(day, around).map(({ count, ...figure }) => ({ ...figure, count: count === 1 ? -1 : 1 }))

const change = (from: number | null, to: number | null, count: 1 | -1): ReturnChange[] =>
  from === null || to === null ? [] : [{ day: to, measure: 'visitor_return', name: String(to - from), count }]
