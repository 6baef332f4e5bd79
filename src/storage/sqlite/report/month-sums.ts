import type { Database } from 'bun:sqlite'
import { startOfMonthAfter } from '../../../lib/calendar.ts'
import { dayLeft, figuresOfLast, type Measure } from '../../../processing/figures/measures.ts'
import { dailyMeasures, hourlyMeasures } from '../../../report/figures.ts'
import type { StoredFigures } from '../../../report/figures-reader.ts'
import { storedJson } from '../database/damage.ts'

/** An account's days from the second number on, before the third. */
type DaysOfAccount = [accountRow: number, from: number, until: number]

/** The figures of a stretch of days. Months are kept in this form: a migration must clear them if it changes. */
export interface MonthSums {
  byDay: [day: number, measure: Measure, count: number][]
  /** With the first day that has the name. */
  byName: [measure: Measure, name: string, count: number, first: number][]
}

const hourly: ReadonlySet<Measure> = new Set(hourlyMeasures)

/** Adds the figures of these days up. SQLite would sort all rows by name, which takes three times as long. */
export function monthSums(raw: Database, days: DaysOfAccount): MonthSums {
  const byDay: MonthSums['byDay'] = []
  const byName = new Map<Measure, Map<string, [count: number, first: number]>>()
  for (const { day, measure, names } of raw.query<FiguresOfDay, DaysOfAccount>(figuresQuery).all(...days)) {
    // Telling them apart here takes less time than in SQL.
    if (hourly.has(measure)) continue
    const counts = JSON.parse(names) as Record<string, number>
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
  return { byDay, byName: named.flat() }
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
  WHERE account_row = ?1 AND day >= ?2 AND day < ?3 AND measure <> 'visitor_return'
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
    parts.push(storedJson<MonthSums>(sums))
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

/** What the days counted as their visitors' latest, of those who have come back since the last of them. */
export function returnsSince(raw: Database, days: DaysOfAccount): MonthSums {
  const byName = raw
    .query<{ name: string; count: number }, DaysOfAccount>(returnsQuery)
    .all(...days)
    .flatMap(({ name, count }) => {
      const figures = figuresOfLast(dayLeft(name))
      return figures.map(({ day, measure, name }): MonthSums['byName'][number] => [measure, name, count, day])
    })
  return { byDay: [], byName }
}

/** Searches each later day for names of that stretch alone. Names of days sort as numbers: all have five digits, from 1997 until 2243. */
const returnsQuery = `
  WITH RECURSIVE later(day) AS (
    SELECT ?3 UNION ALL
    SELECT day + 1 FROM later WHERE day < (SELECT max(day) FROM day_figure WHERE account_row = ?1))
  SELECT name, count FROM day_figure
  WHERE account_row = ?1 AND day IN later AND measure = 'visitor_return' AND count <> 0
    AND name >= '[' || max(?2, 10000) AND name < '[' || max(?3, 10000)`
