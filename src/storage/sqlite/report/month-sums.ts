import type { Database } from 'bun:sqlite'
import { startOfMonthAfter } from '../../../lib/calendar.ts'
import type { Measure } from '../../../processing/figures/measures.ts'
import type { StoredFigures } from '../../../report/figures-reader.ts'

/** An account's days from the second number on, before the third. */
export type DaysOfAccount = [accountRow: number, from: number, until: number]

/** The figures of a stretch of days. What is kept of a month is on disk: never change it. */
export interface MonthSums {
  byDay: [day: number, measure: Measure, count: number][]
  /** With the first day that has the name. */
  byName: [measure: Measure, name: string, count: number, first: number][]
}

/** Adds the figures of these days up. SQLite would sort all rows by name, which takes three times as long. */
export function monthSums(raw: Database, days: DaysOfAccount): MonthSums {
  const byDay: MonthSums['byDay'] = []
  const byName = new Map<Measure, Map<string, [count: number, first: number]>>()
  for (const { day, measure, names } of raw.query<FiguresOfDay, DaysOfAccount>(figuresQuery).all(...days)) {
    let sum = 0
    const known = byName.get(measure) ?? new Map<string, [number, number]>()
    for (const [name, count] of Object.entries(JSON.parse(names) as Record<string, number>)) {
      sum += count
      const [before, first] = known.get(name) ?? [0, day]
      known.set(name, [before + count, first])
    }
    byName.set(measure, known)
    if (sum !== 0 && !splitOnly.has(measure)) byDay.push([day, measure, sum])
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

/** No figures of a day: another measure counts the same. */
const splitOnly: ReadonlySet<Measure> = new Set(['lead_source', 'lead_campaign', 'page'])

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

/** What a report reads of them. */
export function figuresOf(parts: readonly MonthSums[]): Pick<StoredFigures, 'byDay' | 'byName' | 'goalsFirstDone'> {
  const names = new Map<string, { measure: Measure; name: string; count: number; first: number }>()
  for (const [measure, name, count, first] of parts.flatMap(({ byName }) => byName)) {
    const known = names.get(`${measure} ${name}`)
    if (known === undefined) names.set(`${measure} ${name}`, { measure, name, count, first })
    else known.count += count
  }
  const all = [...names.values()]
  return {
    byDay: parts.flatMap(({ byDay }) => byDay.map(([day, measure, count]) => ({ day, measure, count }))),
    byName: all.flatMap(({ measure, name, count }) => (count === 0 ? [] : [{ measure, name, count }])),
    goalsFirstDone: all.flatMap(({ measure, name, first }) =>
      measure === 'goal' || measure === 'funnel' ? [{ name, day: first }] : [],
    ),
  }
}
