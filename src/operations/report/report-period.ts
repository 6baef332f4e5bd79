import { localDay, startOfDay } from '../../lib/local-day.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/**
 * A moment from the command line: an instant (epoch milliseconds), or local time of the account as a day (days since
 * 1970-01-01) and a time of day.
 */
export type NamedMoment = { at: number } | { day: number; timeMs: number }

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
export class PeriodFault extends OperatorError {
  constructor(readonly fault: keyof typeof messages) {
    super(messages[fault])
  }
}

/** The days of the period in the account's time zone; a time is widened to its day. @throws PeriodFault when there is no day in it */
export function daysOf({ since, until }: ReportPeriod, timezone: string): ReportDays {
  const fromDay = dayOf(since, timezone)
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

const dayOf = (moment: NamedMoment, timezone: string): number =>
  'day' in moment ? moment.day : localDay(moment.at, timezone)

/** The first day after the period: the moment's own day if the moment is its beginning. */
function dayBehind(moment: NamedMoment, timezone: string): number {
  if ('day' in moment) return moment.timeMs === 0 ? moment.day : moment.day + 1
  const day = localDay(moment.at, timezone)
  return startOfDay(day, timezone) === moment.at ? day : day + 1
}
