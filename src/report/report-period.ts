import { parseAge, parseInstant } from '../lib/age.ts'
import { localDay, startOfDay } from '../lib/local-day.ts'
import { UnfitInput } from '../lib/operator-error.ts'

/**
 * A moment from the command line: an instant (epoch milliseconds), or local time of the account as a day (days since
 * 1970-01-01) and a time of day. `days`: the instant is so many whole days ago.
 */
export type NamedMoment = { at: number; days?: number } | { day: number; timeMs: number }

/** The period of a report; `until: null`: up to now. */
export interface ReportPeriod {
  since: NamedMoment
  until: NamedMoment | null
}

/** Days since 1970-01-01 in the account's time zone; `untilDay` is exclusive. */
export interface ReportDays {
  fromDay: number
  untilDay: number | null
}

const messages = {
  empty: 'The period ends before it begins.',
  future: 'The period is in the future.',
}

/** A period without a report, which is known only with the account's time zone. */
export class PeriodFault extends UnfitInput {
  constructor(readonly fault: keyof typeof messages) {
    super(messages[fault])
  }
}

/** The days of the period in the account's time zone; a time is widened to its day. @throws PeriodFault when there is no day in it */
export function daysOf({ since, until }: ReportPeriod, timezone: string): ReportDays {
  const fromDay = firstDayOf(since, timezone)
  if (until === null) return { fromDay, untilDay: null }
  const untilDay = dayBehind(until, timezone)
  if (untilDay <= fromDay) throw new PeriodFault('empty')
  return { fromDay, untilDay }
}

/** Rejects future days, except a day that an earlier time zone has already counted. */
export function refuseToCome(day: number, { today, knownLast }: { today: number; knownLast: number | null }): void {
  if (day > Math.max(today, knownLast ?? today)) throw new PeriodFault('future')
}

/** The moment as epoch milliseconds, for records that are stored by time instead of by day. @throws PeriodFault */
export function sinceInstant(since: NamedMoment, { now, timezone }: { now: number; timezone: string }): number {
  if ('at' in since) return since.at
  refuseToCome(since.day, { today: localDay(now, timezone), knownLast: null })
  return startOfDay(since.day, timezone) + since.timeMs
}

/** The last 30 days are 30 calendar days, today included. */
function firstDayOf(moment: NamedMoment, timezone: string): number {
  if ('day' in moment) return moment.day
  const { at, days = 0 } = moment
  return days === 0 ? localDay(at, timezone) : localDay(at + days * dayMs, timezone) - days + 1
}

/** The first day after the period: the moment's own day if the moment is its beginning. */
function dayBehind(moment: NamedMoment, timezone: string): number {
  if ('day' in moment) return moment.timeMs === 0 ? moment.day : moment.day + 1
  const day = localDay(moment.at, timezone)
  return startOfDay(day, timezone) === moment.at ? day : day + 1
}

const dayMs = 86_400_000
const monthAlone = /^(\d{4})-(\d\d)$/
const ownTime = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?$/
/** Where every day begins first. */
const earliestZone = 'Pacific/Kiritimati'
/** The length of a report that names no period. */
export const sinceByDefault = '30d'
const daysByDefault = 30

export type PeriodName = 'since' | 'until' | 'month'

/** A period as somebody writes it; `month` names the whole of it. */
export type TypedPeriod = { [Part in PeriodName]?: string | undefined }

const words = {
  together: (name: string) => `${name} names the whole period: leave the others out.`,
  unreadable: (name: string) =>
    name === 'month'
      ? 'month takes a month such as 2026-10.'
      : `${name} takes a date (2026-11-20), a month (2026-11), an ISO 8601 time or an age (30d).`,
  future: (name: string) => `${name} is in the future.`,
}

/** A period that cannot be read, with the name of the part at fault. The message does not quote what was written. */
export class TypedPeriodFault extends UnfitInput {
  constructor(
    readonly part: PeriodName,
    readonly fault: keyof typeof words,
  ) {
    super(words[fault](part))
  }
}

/** The written period; without one, the last 30 days. @throws TypedPeriodFault */
export function periodOf(typed: TypedPeriod, now: number): ReportPeriod {
  if (typed.month !== undefined) {
    if (typed.since !== undefined || typed.until !== undefined) throw new TypedPeriodFault('month', 'together')
    return periodOfMonth(typed.month, now)
  }
  const until = typed.until === undefined ? null : momentOf('until', typed.until, now)
  return { since: typed.since === undefined ? before(until, now) : sinceOf(typed.since, now), until }
}

/** Where a report begins. A date, a month, or a time without a zone is in the account's time zone. @throws TypedPeriodFault */
export function sinceOf(typed: string, now: number): NamedMoment {
  const since = momentOf('since', typed, now)
  const isToCome = 'at' in since ? since.at > now : since.day > localDay(now, earliestZone)
  if (isToCome) throw new TypedPeriodFault('since', 'future')
  return since
}

/** The default length, before the end or before now, whichever is earlier. */
function before(until: NamedMoment | null, now: number): NamedMoment {
  const isOver = until !== null && ('at' in until || until.day <= localDay(now, earliestZone))
  if (isOver && 'day' in until) return { day: until.day + (until.timeMs === 0 ? 0 : 1) - daysByDefault, timeMs: 0 }
  // The period ends on the day before if it ends at midnight.
  const end = isOver && 'at' in until ? Math.min(until.at - 1, now) : now
  return { at: end - daysByDefault * dayMs, days: daysByDefault }
}

function periodOfMonth(typed: string, now: number): ReportPeriod {
  const first = firstOfMonth(typed)
  if (first === null) throw new TypedPeriodFault('month', 'unreadable')
  const [year = 0, month = 0] = typed.trim().split('-').map(Number)
  if (first > localDay(now, earliestZone)) throw new TypedPeriodFault('month', 'future')
  return { since: { day: first, timeMs: 0 }, until: { day: Date.UTC(year, month) / dayMs, timeMs: 0 } }
}

function momentOf(part: PeriodName, typed: string, now: number): NamedMoment {
  const first = firstOfMonth(typed)
  if (first !== null) return { day: first, timeMs: 0 }
  const at = parseInstant(typed, now)
  if (at === null) throw new TypedPeriodFault(part, 'unreadable')
  const ageMs = parseAge(typed)
  if (ageMs !== null) return /[dwy]\s*$/.test(typed) && ageMs % dayMs === 0 ? { at, days: ageMs / dayMs } : { at }
  if (!ownTime.test(typed.trim())) return { at }
  // `parseInstant` reads it as UTC, which keeps the typed day and time.
  const day = Math.floor(at / dayMs)
  return { day, timeMs: at - day * dayMs }
}

/** Days since 1970-01-01 of the month's first day; `null`: not a month. */
function firstOfMonth(typed: string): number | null {
  const [, year, month] = monthAlone.exec(typed.trim()) ?? []
  if (year === undefined || month === undefined || Number(month) < 1 || Number(month) > 12) return null
  return Date.UTC(Number(year), Number(month) - 1) / dayMs
}
