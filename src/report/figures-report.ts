import type { Form } from '../account/form.ts'
import { type Aim, aimKey, funnelKey, type GoalSettings, stepKey } from '../account/goal.ts'
import { type Split, splitKey } from '../account/split.ts'
import { dateOfDay, LocalDays, localDay } from '../lib/local-day.ts'
import type { Measure } from '../processing/figures/measures.ts'
import { channelsReport } from './channels.ts'
import {
  type ClickFigures,
  clickCounts,
  type DailyFigures,
  type DayFigure,
  dayFigures,
  type FigureList,
  type FiguresReport,
  type FunnelFigures,
  type GoalFigures,
  type ListName,
  type ListRow,
  listNames,
  lists,
} from './figures.ts'
import type { StoredFigures } from './figures-reader.ts'
import { percentOf } from './percent.ts'
import { splitsReport } from './splits.ts'

interface Period {
  /** Days since 1970-01-01 in the account's time zone, both included. */
  fromDay: number
  toDay: number
  timezone: string
}

/** What the account is configured to show. */
interface ReportedSettings extends GoalSettings {
  forms: Pick<Form, 'id' | 'name'>[]
  splits: Split[]
}

/** By day. */
type DayRefusals = Map<number, Pick<DailyFigures, 'refused' | 'lostPageViews'>>

const msPerHour = 60 * 60 * 1000

/** Makes a report from the roll-ups of an account. */
export function figuresReport(
  stored: StoredFigures,
  { fromDay, toDay, timezone }: Period,
  { forms, splits, ...goals }: ReportedSettings,
): FiguresReport {
  const days = byDay(stored, refusalsByDay(stored, timezone), { fromDay, toDay })
  const known = stored.known && { first: dateOfDay(stored.known.first), last: dateOfDay(stored.known.last) }
  const from = dateOfDay(fromDay)
  const totals = { ...total(days), visitors: stored.visitors }
  return {
    from,
    to: days.at(-1)?.date ?? dateOfDay(toDay),
    totals,
    days,
    ...listsOf(stored.byName, forms),
    channels: channelsReport(stored.byName, totals),
    ...goalsReport(goals, stored, { from, days, timezone }),
    splits:
      splits.length === 0
        ? []
        : splitsReport(splits, {
            countOf: counts(stored),
            sinceOf: (page, versions) =>
              countedSince({ key: splitKey(page), figures: versions }, stored, { from, days, timezone }).since,
          }),
    refusals: stored.refusals,
    missing: stored.missing,
    quarantined: stored.quarantined,
    known,
  }
}

const figureNames = Object.keys(dayFigures) as DayFigure[]
const verdicts = Object.keys(clickCounts) as (keyof ClickFigures)[]
const clicksOf = (of: (verdict: keyof ClickFigures) => number) =>
  Object.fromEntries(verdicts.map((verdict) => [verdict, of(verdict)])) as ClickFigures

const nothing = (): DailyFigures => ({
  ...(Object.fromEntries(figureNames.map((figure) => [figure, 0])) as Record<DayFigure, number>),
  clicks: clicksOf(() => 0),
  refused: 0,
  lostPageViews: 0,
})

/** Adds a count of a measure to the figures; other measures are not daily figures. */
const adding = new Map<Measure, (figures: DailyFigures, count: number) => void>([
  ...figureNames.map(
    (figure) => [dayFigures[figure], (figures: DailyFigures, count: number) => (figures[figure] += count)] as const,
  ),
  ...verdicts.map(
    (verdict) =>
      [clickCounts[verdict].measure, ({ clicks }: DailyFigures, count: number) => (clicks[verdict] += count)] as const,
  ),
])

function byDay(
  stored: StoredFigures,
  refusals: DayRefusals,
  { fromDay, toDay }: Pick<Period, 'fromDay' | 'toDay'>,
): FiguresReport['days'] {
  const counted = [...new Set(stored.byDay.map(({ day }) => day)), ...refusals.keys()]
  const first = Math.min(stored.known?.first ?? Number.POSITIVE_INFINITY, ...counted)
  if (first === Number.POSITIVE_INFINITY) return []
  // After a change of the time zone, a day that has not begun may have counts.
  const last = Math.max(toDay, ...counted)
  const begin = Math.max(fromDay, first)
  const days = Array.from({ length: Math.max(0, last - begin + 1) }, (_, index) => ({
    date: dateOfDay(begin + index),
    ...nothing(),
  }))
  for (const { day, measure, count } of stored.byDay) {
    const figures = days[day - begin]
    if (figures) adding.get(measure)?.(figures, count)
  }
  for (const [day, { refused, lostPageViews }] of refusals) {
    const figures = days[day - begin]
    if (figures === undefined) continue
    figures.refused += refused
    figures.lostPageViews += lostPageViews
  }
  return days
}

/** The sums of several days, in which a visitor counts once for each day. */
export function total(days: readonly DailyFigures[]): DailyFigures {
  const sum = nothing()
  for (const day of days) {
    for (const figure of [...figureNames, 'refused', 'lostPageViews'] as const) sum[figure] += day[figure]
    for (const verdict of verdicts) sum.clicks[verdict] += day.clicks[verdict]
  }
  return sum
}

type Rows = Pick<FiguresReport, ListName>

function listsOf(byName: StoredFigures['byName'], forms: ReportedSettings['forms']): Rows {
  const named = new Map(forms.map(({ id, name }) => [id, name]))
  const rows = Object.fromEntries(listNames.map((name) => [name, rowsOf(lists[name], byName)]))
  const withNames = rows.forms?.map(({ id, ...counts }) => ({ id, name: named.get(String(id)) ?? null, ...counts }))
  return { ...rows, forms: withNames } as unknown as Rows
}

/** Every name that splits any of the list's measures, most of the first count first, then most of all. */
function rowsOf({ key, counts }: FigureList, byName: StoredFigures['byName']): ListRow[] {
  const columns = Object.entries(counts)
  const none = Object.fromEntries(columns.map(([column]) => [column, 0]))
  const columnOf = new Map(columns.map(([column, { measure }]) => [measure, column]))
  const rows = new Map<string, Record<string, number>>()
  for (const { measure, name, count } of byName) {
    const column = columnOf.get(measure)
    if (column === undefined) continue
    const row = rows.get(name) ?? { ...none }
    rows.set(name, row)
    row[column] = count
  }
  const first = columns[0]?.[0] ?? ''
  const order = ([name, one]: Ranked, [otherName, other]: Ranked): number =>
    (other[first] ?? 0) - (one[first] ?? 0) ||
    weight(counts, other) - weight(counts, one) ||
    (name < otherName ? -1 : 1)
  // A link may name no message.
  return [...rows].sort(order).map(([name, row]) => ({ [key]: name === '' ? null : name, ...row }))
}

type Ranked = [name: string, counts: Record<string, number>]

/** Without what is an aside. */
const weight = (counts: FigureList['counts'], row: Record<string, number>): number =>
  Object.entries(row).reduce((sum, [column, count]) => sum + (counts[column]?.isAside ? 0 : count), 0)

/** An hour belongs to the day it begins on. */
function refusalsByDay({ byHour }: StoredFigures, timezone: string): DayRefusals {
  const days = new LocalDays()
  const sums: DayRefusals = new Map()
  for (const { hour, refused, lostPageViews } of byHour) {
    const day = days.of(hour * msPerHour, timezone)
    const sum = sums.get(day)
    if (sum === undefined) sums.set(day, { refused, lostPageViews })
    else {
      sum.refused += refused
      sum.lostPageViews += lostPageViews
    }
  }
  return sums
}

type Counted = Pick<StoredFigures, 'byName' | 'goalsSince' | 'goalsFirstDone'>

interface Reported {
  from: string
  days: FiguresReport['days']
  timezone: string
}

/** The account's goals and funnels as configured now, in order, without removed ones. */
export function goalsReport(
  { goals, funnels }: GoalSettings,
  counted: Counted,
  reported: Reported,
): { goals: GoalFigures[]; funnels: FunnelFigures[] } {
  const countOf = counts(counted)
  const basisOf = (key: string, figure: string) => basis({ key, figures: [figure] }, counted, reported)
  return {
    goals: goals.map(({ name, aim }) => {
      const key = aimKey(aim)
      const visits = countOf('goal', key)
      const { ofVisits, since } = basisOf(key, key)
      const times = countOf('goal_time', key)
      return { name, ...named(aim), visits, times, ofVisits, conversion: percentOf(visits, ofVisits), since }
    }),
    funnels: funnels.map((funnel) => {
      const key = funnelKey(funnel)
      const steps = funnel.steps.map((aim, position) => ({
        ...named(aim),
        visits: countOf('funnel', stepKey(key, position + 1)),
      }))
      const [first, last] = [steps.at(0)?.visits ?? 0, steps.at(-1)?.visits ?? 0]
      return { name: funnel.name, steps, ...basisOf(key, stepKey(key, 1)), conversion: percentOf(last, first) }
    }),
  }
}

function counts({ byName }: Pick<Counted, 'byName'>): (measure: Measure, name: string) => number {
  const known = new Map(byName.map(({ measure, name, count }) => [`${measure} ${name}`, count]))
  return (measure, name) => known.get(`${measure} ${name}`) ?? 0
}

/** What is counted since a day, by its key, and the figures that tell of it. */
interface CountedSince {
  key: string
  figures: readonly string[]
}

/** The visits that could have done it: those of the days on which it was counted. */
function basis(asked: CountedSince, counted: Counted, reported: Reported) {
  const { begun, since } = countedSince(asked, counted, reported)
  const ofVisits = reported.days.reduce((sum, { date, visits }) => (date < begun ? sum : sum + visits), 0)
  return { ofVisits, since }
}

/** A ledger that came from another box is counted from its beginning, however late the folder was applied here. */
function countedSince(
  { key, figures }: CountedSince,
  { goalsSince, goalsFirstDone }: Counted,
  { from, days, timezone }: Reported,
): { begun: string; since: string | null } {
  const at = goalsSince.find((goal) => goal.key === key)?.since
  const firsts = goalsFirstDone.filter(({ name }) => figures.includes(name)).map(({ day }) => day)
  const begun = at === undefined ? from : dateOfDay(Math.min(localDay(at, timezone), ...firsts))
  // Neither goals nor visits were counted before.
  const counted = days[0]?.date ?? from
  return { begun, since: begun > counted ? begun : null }
}

const named = (aim: Aim): Pick<GoalFigures, 'form' | 'event' | 'page'> => {
  if (aim.kind === 'form') return { form: aim.form }
  return aim.kind === 'event' ? { event: aim.event } : { page: aim.page }
}
