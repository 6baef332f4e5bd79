import type { Database } from 'bun:sqlite'
import { startOfMonthAfter } from '../../../lib/calendar.ts'
import type { Measure } from '../../../processing/figures/measures.ts'
import { dailyMeasures, hourlyMeasures } from '../../../report/figures.ts'
import type { StoredFigures } from '../../../report/figures-reader.ts'

/** An account's days from the second number on, before the third. */
type DaysOfAccount = [accountRow: number, from: number, until: number]

/** The figures of a stretch of days. Months are kept in this form: a migration must clear them if it changes. */
export interface MonthSums {
  byDay: [day: number, measure: Measure, count: number][]
  /** With the first day that has the name. */
  byName: [measure: Measure, name: string, count: number, first: number][]
  /** Devices that viewed something on a day of the stretch, by the day on which they had viewed something before. */
  returns: [before: number, count: number][]
}

const hourly: ReadonlySet<Measure> = new Set(hourlyMeasures)

/** Adds the figures of these days up. SQLite would sort all rows by name, which takes three times as long. */
export function monthSums(raw: Database, days: DaysOfAccount): MonthSums {
  const byDay: MonthSums['byDay'] = []
  const byName = new Map<Measure, Map<string, [count: number, first: number]>>()
  const returns = new Map<number, number>()
  for (const { day, measure, names } of raw.query<FiguresOfDay, DaysOfAccount>(figuresQuery).all(...days)) {
    // Telling them apart here takes less time than in SQL.
    if (hourly.has(measure)) continue
    const counts = JSON.parse(names) as Record<string, number>
    if (measure === 'visitor_return') {
      for (const [daysAgo, count] of Object.entries(counts)) {
        const before = day - Number(daysAgo)
        returns.set(before, (returns.get(before) ?? 0) + count)
      }
      continue
    }
    let sum = 0
    const known = byName.get(measure) ?? new Map<string, [number, number]>()
    for (const name in counts) {
      const count = counts[name] ?? 0
      sum += count
      const before = known.get(name)
      if (before === undefined) known.set(name, [count, day])
      else before[0] += count
    }
    byName.set(measure, known)
    if (sum !== 0 && dailyMeasures.has(measure)) byDay.push([day, measure, sum])
  }
  const named = Array.from(byName, ([measure, names]) =>
    Array.from(names, ([name, [count, first]]): MonthSums['byName'][number] => [measure, name, count, first]),
  )
  return { byDay, byName: named.flat(), returns: [...returns] }
}

/** The figures of a measure on a day, in the order of the table. */
interface FiguresOfDay {
  day: number
  measure: Measure
  /** JSON: count by name. */
  names: string
}

const figuresQuery = `
  SELECT day, measure, json_group_object(name, count) AS names FROM day_figure
  WHERE account_row = ?1 AND day >= ?2 AND day < ?3
  GROUP BY day, measure`

/** The same of any stretch, in parts: months that are kept together, and the days between them. */
export function sumsOfDays(raw: Database, [accountRow, from, until]: DaysOfAccount): MonthSums[] {
  const months = raw
    .query<{ firstDay: number; sums: string }, DaysOfAccount>(
      `SELECT first_day AS firstDay, sums FROM month_figure
       WHERE account_row = ?1 AND first_day >= ?2 AND first_day < ?3 AND sums IS NOT NULL ORDER BY first_day`,
    )
    .all(accountRow, from, until)
  const parts: MonthSums[] = []
  let next = from
  for (const { firstDay, sums } of months) {
    const end = startOfMonthAfter(firstDay, 1)
    if (end > until) break
    if (next < firstDay) parts.push(monthSums(raw, [accountRow, next, firstDay]))
    parts.push(JSON.parse(sums) as MonthSums)
    next = end
  }
  if (next < until) parts.push(monthSums(raw, [accountRow, next, until]))
  return parts
}

export function figuresOf(parts: readonly MonthSums[]): Pick<StoredFigures, 'byDay' | 'byName' | 'goalsFirstDone'> {
  const names = new Map<Measure, Map<string, { measure: Measure; name: string; count: number; first: number }>>()
  for (const { byName } of parts) {
    for (const [measure, name, count, first] of byName) {
      const ofMeasure = names.get(measure) ?? new Map()
      names.set(measure, ofMeasure)
      const known = ofMeasure.get(name)
      if (known === undefined) ofMeasure.set(name, { measure, name, count, first })
      else known.count += count
    }
  }
  const all = [...names.values()].flatMap((ofMeasure) => [...ofMeasure.values()])
  return {
    byDay: parts.flatMap(({ byDay }) => byDay.map(([day, measure, count]) => ({ day, measure, count }))),
    byName: all.flatMap(({ measure, name, count }) => (count === 0 ? [] : [{ measure, name, count }])),
    goalsFirstDone: all.flatMap(({ measure, name, first }) => (isCountedSince(measure) ? [{ name, day: first }] : [])),
  }
}

const isCountedSince = (measure: Measure): boolean =>
  measure === 'goal' || measure === 'funnel' || measure === 'split_visit'

/** Devices that viewed something on a day of these parts, and before that on a day from `from` on, once for each such day. */
export function returnsSince(from: number, parts: readonly MonthSums[]): number {
  let sum = 0
  for (const { returns } of parts) for (const [before, count] of returns) if (before >= from) sum += count
  return sum
}
