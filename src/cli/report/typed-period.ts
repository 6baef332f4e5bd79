import { parseAge, parseInstant } from '../../lib/age.ts'
import { localDay, startOfDay } from '../../processing/figures/local-day.ts'
import { usageError } from '../command.ts'

/**
 * A moment somebody typed: an instant (epoch milliseconds), or one of the account's own clock. The latter is a day (days
 * since 1970-01-01) and a time of that day.
 */
export type TypedMoment = { at: number } | { day: number; timeMs: number }

/** What `--since`, `--until` and `--month` of a report name; `until: null`: up to now. */
export interface ReportPeriod {
  since: TypedMoment
  until: TypedMoment | null
}

/** Days since 1970-01-01 in the account's time zone; `untilDay` is not included. */
export interface ReportDays {
  fromDay: number
  untilDay: number | null
}

const dayMs = 86_400_000
const monthAlone = /^(\d{4})-(\d\d)$/
const ownTime = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?$/
/** Where every day begins first. */
const earliestZone = 'Pacific/Kiritimati'

interface TypedPeriod {
  since: string | undefined
  until: string | undefined
  month: string | undefined
}

/** @throws a usage error for what is no time, lies in the future, or is empty */
export function typedPeriod(typed: TypedPeriod, { now, sinceByDefault }: { now: number; sinceByDefault: string }) {
  if (typed.month !== undefined) {
    if (typed.since !== undefined || typed.until !== undefined) {
      throw usageError('--month names the whole period: leave --since and --until out.')
    }
    return periodOfMonth(typed.month, now)
  }
  const until = typed.until === undefined ? null : typedMoment('--until', typed.until, now)
  const since = typed.since === undefined ? before(until, sinceByDefault, now) : typedSince(typed.since, now)
  return { since, until } satisfies ReportPeriod
}

/** So long before the end; before now, where that comes later or is not named. */
function before(until: TypedMoment | null, age: string, now: number): TypedMoment {
  const ageMs = parseAge(age) ?? 0
  if (until === null) return { at: now - ageMs }
  if ('at' in until) return { at: Math.min(until.at, now) - ageMs }
  if (until.day > localDay(now, earliestZone)) return { at: now - ageMs }
  return { ...until, day: until.day - ageMs / dayMs }
}

/** What `--since` names. A date, a month, or a time without a zone is the account's own: it stands in the report. */
export function typedSince(typed: string, now: number): TypedMoment {
  const since = typedMoment('--since', typed, now)
  const isToCome = 'at' in since ? since.at > now : since.day > localDay(now, earliestZone)
  return isToCome ? inTheFuture('--since') : since
}

/** The days of the period in the account's time zone: a time is widened to its day. @throws when there is no day in it */
export function daysOf({ since, until }: ReportPeriod, timezone: string): ReportDays {
  const fromDay = dayOf(since, timezone)
  if (until === null) return { fromDay, untilDay: null }
  const untilDay = dayBehind(until, timezone)
  if (untilDay <= fromDay) throw usageError('--since is not before --until.')
  return { fromDay, untilDay }
}

/** After a change of the time zone, something may have been counted for a day that has not begun: it is none to come. */
export function refuseToCome(day: number, { today, knownLast }: { today: number; knownLast: number | null }): void {
  if (day > Math.max(today, knownLast ?? today)) inTheFuture('--since')
}

/** When that begins, epoch milliseconds, for what is kept with its time instead of a day. */
export function sinceInstant(since: TypedMoment, { now, timezone }: { now: number; timezone: string }): number {
  if ('at' in since) return since.at
  refuseToCome(since.day, { today: localDay(now, timezone), knownLast: null })
  return startOfDay(since.day, timezone) + since.timeMs
}

function periodOfMonth(typed: string, now: number): ReportPeriod {
  const first = firstOfMonth(typed)
  if (first === null) throw usageError(`--month takes a month such as 2026-10, not "${typed}".`)
  const [year = 0, month = 0] = typed.trim().split('-').map(Number)
  if (first > localDay(now, earliestZone)) inTheFuture('--month')
  return { since: { day: first, timeMs: 0 }, until: { day: Date.UTC(year, month) / dayMs, timeMs: 0 } }
}

function typedMoment(option: string, typed: string, now: number): TypedMoment {
  const first = firstOfMonth(typed)
  if (first !== null) return { day: first, timeMs: 0 }
  const at = parseInstant(typed, now)
  if (at === null) {
    throw usageError(
      `${option} takes a date (2026-11-20), a month (2026-11), an ISO 8601 time or an age (30d), not "${typed}".`,
    )
  }
  if (parseAge(typed) !== null || !ownTime.test(typed.trim())) return { at }
  // `parseInstant` reads it as UTC, so that its day and time are those that were typed.
  const day = Math.floor(at / dayMs)
  return { day, timeMs: at - day * dayMs }
}

/** Days since 1970-01-01 of the month's first; `null`: the text names no month. */
function firstOfMonth(typed: string): number | null {
  const [, year, month] = monthAlone.exec(typed.trim()) ?? []
  if (year === undefined || month === undefined || Number(month) < 1 || Number(month) > 12) return null
  return Date.UTC(Number(year), Number(month) - 1) / dayMs
}

const dayOf = (moment: TypedMoment, timezone: string): number =>
  'day' in moment ? moment.day : localDay(moment.at, timezone)

/** The first day that is not included any more: the moment's own when the day begins with it. */
function dayBehind(moment: TypedMoment, timezone: string): number {
  if ('day' in moment) return moment.timeMs === 0 ? moment.day : moment.day + 1
  const day = localDay(moment.at, timezone)
  return startOfDay(day, timezone) === moment.at ? day : day + 1
}

function inTheFuture(option: string): never {
  throw usageError(`${option} lies in the future.`)
}
