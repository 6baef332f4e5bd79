import type { Form } from '../account/form.ts'
import type { GoalSettings } from '../account/goal.ts'
import { dateOfDay, LocalDays } from '../lib/local-day.ts'
import type { Measure } from '../processing/figures/measures.ts'
import { countedFigures, type DailyFigures, type FiguresReport } from './figures.ts'
import { clicksByMessage, leadsByCampaign, leadsByForm, leadsBySource, viewsByPage } from './figures-by-name.ts'
import type { StoredFigures } from './figures-reader.ts'
import { goalsReport } from './goals-report.ts'

interface Period {
  /** Days since 1970-01-01 in the account's time zone, both included. */
  fromDay: number
  toDay: number
  /** Whether the data to count the visitors of the period is complete. */
  knowsVisitors: boolean
  timezone: string
}

/** What the account is configured to show. */
export interface ReportedSettings extends GoalSettings {
  forms: Pick<Form, 'id' | 'name'>[]
}

/** By day. */
type DayRefusals = Map<number, Pick<DailyFigures, 'refused' | 'lostPageViews'>>

const msPerHour = 60 * 60 * 1000

/** Makes a report from the roll-ups of an account. */
export function figuresReport(
  stored: StoredFigures,
  { fromDay, toDay, knowsVisitors, timezone }: Period,
  { forms, ...goals }: ReportedSettings,
): FiguresReport {
  const days = byDay(stored, refusalsByDay(stored, timezone), { fromDay, toDay })
  const known = stored.known && { first: dateOfDay(stored.known.first), last: dateOfDay(stored.known.last) }
  const from = dateOfDay(fromDay)
  return {
    from,
    to: days.at(-1)?.date ?? dateOfDay(toDay),
    totals: { ...total(days), visitors: knowsVisitors ? stored.visitors : null },
    days,
    forms: leadsByForm(stored.byName, forms),
    sources: leadsBySource(stored.byName),
    campaigns: leadsByCampaign(stored.byName),
    pages: viewsByPage(stored.byName),
    messages: clicksByMessage(stored.byName),
    ...goalsReport(goals, stored, { from, days, timezone }),
    refusals: stored.refusals,
    quarantined: stored.quarantined,
    known,
  }
}

const nothing = (): DailyFigures => ({
  visits: 0,
  visitors: 0,
  views: 0,
  viewsByBots: 0,
  events: 0,
  eventsByBots: 0,
  leads: 0,
  likelyDuplicates: 0,
  clicks: { human: 0, suspected: 0, machine: 0 },
  refused: 0,
  lostPageViews: 0,
})

/** Adds a count of a measure to the figures; other measures are not daily figures. */
const adding: Partial<Record<Measure, (figures: DailyFigures, count: number) => void>> = {
  view: (figures, count) => (figures.views += count),
  view_bot: (figures, count) => (figures.viewsByBots += count),
  visit: (figures, count) => (figures.visits += count),
  visitor: (figures, count) => (figures.visitors += count),
  event: (figures, count) => (figures.events += count),
  event_bot: (figures, count) => (figures.eventsByBots += count),
  lead: (figures, count) => (figures.leads += count),
  duplicate: (figures, count) => (figures.likelyDuplicates += count),
  click_human: ({ clicks }, count) => (clicks.human += count),
  click_suspected: ({ clicks }, count) => (clicks.suspected += count),
  click_machine: ({ clicks }, count) => (clicks.machine += count),
}

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
    if (figures) adding[measure]?.(figures, count)
  }
  for (const [day, { refused, lostPageViews }] of refusals) {
    const figures = days[day - begin]
    if (figures === undefined) continue
    figures.refused += refused
    figures.lostPageViews += lostPageViews
  }
  return days
}

/** Beside clicks, which are three. */
const plainFigures = [...countedFigures, 'refused', 'lostPageViews'] as const

/** The sums of several days, in which a visitor counts once for each day. */
export function total(days: readonly DailyFigures[]): DailyFigures {
  const sum = nothing()
  for (const day of days) {
    for (const figure of plainFigures) sum[figure] += day[figure]
    sum.clicks.human += day.clicks.human
    sum.clicks.suspected += day.clicks.suspected
    sum.clicks.machine += day.clicks.machine
  }
  return sum
}

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
