import { parseAge, parseInstant } from '../../lib/age.ts'
import { localDay } from '../../lib/local-day.ts'
import { type NamedMoment, PeriodFault, type ReportPeriod } from '../../operations/report/report-period.ts'
import { usageError } from '../command.ts'

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

/** @throws a usage error for an invalid, future or empty period */
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

/** The default length, before the end or before now, whichever is earlier. */
function before(until: NamedMoment | null, age: string, now: number): NamedMoment {
  const ageMs = parseAge(age) ?? 0
  if (until === null) return { at: now - ageMs }
  if ('at' in until) return { at: Math.min(until.at, now) - ageMs }
  if (until.day > localDay(now, earliestZone)) return { at: now - ageMs }
  return { ...until, day: until.day - ageMs / dayMs }
}

/** Parses `--since`. A date, a month, or a time without a zone is in the account's time zone. */
export function typedSince(typed: string, now: number): NamedMoment {
  const since = typedMoment('--since', typed, now)
  const isToCome = 'at' in since ? since.at > now : since.day > localDay(now, earliestZone)
  return isToCome ? inTheFuture('--since') : since
}

/** Turns an operation's fault of the period into a usage error about the options. */
export function inOptions(error: unknown): never {
  if (!(error instanceof PeriodFault)) throw error
  if (error.fault === 'future') inTheFuture('--since')
  throw usageError('--since is not before --until.')
}

function periodOfMonth(typed: string, now: number): ReportPeriod {
  const first = firstOfMonth(typed)
  if (first === null) throw usageError(`--month takes a month such as 2026-10, not "${typed}".`)
  const [year = 0, month = 0] = typed.trim().split('-').map(Number)
  if (first > localDay(now, earliestZone)) inTheFuture('--month')
  return { since: { day: first, timeMs: 0 }, until: { day: Date.UTC(year, month) / dayMs, timeMs: 0 } }
}

function typedMoment(option: string, typed: string, now: number): NamedMoment {
  const first = firstOfMonth(typed)
  if (first !== null) return { day: first, timeMs: 0 }
  const at = parseInstant(typed, now)
  if (at === null) {
    throw usageError(
      `${option} takes a date (2026-11-20), a month (2026-11), an ISO 8601 time or an age (30d), not "${typed}".`,
    )
  }
  if (parseAge(typed) !== null || !ownTime.test(typed.trim())) return { at }
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

function inTheFuture(option: string): never {
  throw usageError(`${option} lies in the future.`)
}
