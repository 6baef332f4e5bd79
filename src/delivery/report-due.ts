import type { ReportDestination, ReportInterval } from '../account/destination.ts'
import { isoWeek, startOfMonth, startOfWeek } from '../lib/calendar.ts'
import { dateOfDay, localDay } from '../lib/local-day.ts'

/** A report that is to be sent. */
export interface DueReport {
  /** `2026-10`, `2026-W42` (ISO 8601) or `2026-10-12`: identifies the report within its destination for good. */
  period: string
  dueAt: number
}

/** Days since 1970-01-01; `untilDay` is not included. */
interface ReportedDays {
  fromDay: number
  untilDay: number
}

interface ReportHistory {
  /** When the destination was created, epoch milliseconds: it gets no report that was due before. */
  createdAt: number
  /** The latest period put into the outbox; `null`: none. */
  lastPeriod: string | null
  now: number
}

const dueTime = '07:00'
/** After a long outage, nobody wants to read a month of daily reports. */
const missedMax = 3

/**
 * Reports that are due and were not put into the outbox yet, the oldest first: each is of the month, week (from Monday) or day
 * before, and due at 07:00 of the account's time zone. Those that were due while the box was off are among them, the latest three.
 * Periods tell what was sent, not instants, so that a change of the time zone neither repeats nor skips one.
 */
export function dueReports(
  { every, timezone }: Pick<ReportDestination, 'every'> & { timezone: string },
  { createdAt, lastPeriod, now }: ReportHistory,
): DueReport[] {
  const last = lastPeriod === null ? null : reportedDays(lastPeriod)
  const isOfOneKind = lastPeriod === null || intervalOf(lastPeriod) === every
  const due: DueReport[] = []
  const { startOf } = calendar[every]
  for (let untilDay = startOf(localDay(now, timezone)); due.length < missedMax; untilDay = startOf(untilDay - 1)) {
    const dueAt = instantOf(untilDay, timezone)
    if (dueAt <= createdAt || (last !== null && untilDay <= last.untilDay)) break
    if (dueAt <= now) due.unshift({ period: periodBefore(every, untilDay), dueAt })
    // A destination that changes from months to days starts with one day.
    if (!isOfOneKind && due.length > 0) break
  }
  return due
}

/** The last period that has ended by that day (days since 1970-01-01). */
export const lastWholePeriod = (every: ReportInterval, today: number): string =>
  periodBefore(every, calendar[every].startOf(today))

const periodBefore = (every: ReportInterval, untilDay: number): string => calendar[every].name(untilDay - 1)

/** The days of a period's name. @throws when it is not a period */
export function reportedDays(period: string): ReportedDays {
  const { startOf, begin } = calendar[intervalOf(period)]
  const fromDay = begin(period)
  if (!Number.isInteger(fromDay) || calendar[intervalOf(period)].name(fromDay) !== period) {
    throw new RangeError(`"${period}" is not a report’s period`)
  }
  // Goes past the end, whatever the period's length, and back to where the next one begins.
  return { fromDay, untilDay: startOf(fromDay + longestDays[intervalOf(period)]) }
}

function intervalOf(period: string): ReportInterval {
  if (period.includes('W')) return 'week'
  return period.length === '2026-10'.length ? 'month' : 'day'
}

const longestDays: Record<ReportInterval, number> = { day: 1, week: 7, month: 31 }

interface Calendar {
  /** The first day of the period that the day lies in. */
  startOf: (day: number) => number
  name: (day: number) => string
  /** The first day of a named period; NaN if the name is invalid. */
  begin: (period: string) => number
}

const dayMs = 86_400_000

const calendar: Record<ReportInterval, Calendar> = {
  day: { startOf: (day) => day, name: dateOfDay, begin: (period) => Date.parse(period) / dayMs },
  week: { startOf: startOfWeek, name: weekName, begin: weekBegin },
  month: {
    startOf: startOfMonth,
    name: (day) => dateOfDay(day).slice(0, 'YYYY-MM'.length),
    begin: (period) => Date.parse(`${period}-01`) / dayMs,
  },
}

function weekName(day: number): string {
  const { year, week } = isoWeek(day)
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** 4 January is always in the first week of its year. */
function weekBegin(period: string): number {
  const [year, week] = period.split('-W').map(Number)
  return startOfWeek(Date.UTC(year ?? Number.NaN, 0, 4) / dayMs) + ((week ?? Number.NaN) - 1) * 7
}

/** 07:00 of that day in the time zone; where clocks skip that time, as much later. */
const instantOf = (day: number, timeZone: string): number =>
  Temporal.PlainDate.from(dateOfDay(day)).toZonedDateTime({ timeZone, plainTime: dueTime }).epochMilliseconds
