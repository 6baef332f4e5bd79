import { localDay, startOfDay } from '../../lib/local-day.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/**
 * A moment somebody named: an instant (epoch milliseconds), or one of the account's own clock. The latter is a day (days
 * since 1970-01-01) and a time of that day.
 */
export type NamedMoment = { at: number } | { day: number; timeMs: number }

/** What a report covers; `until: null`: up to now. */
export interface ReportPeriod {
  since: NamedMoment
  until: NamedMoment | null
}

/** Days since 1970-01-01 in the account's time zone; `untilDay` is not included. */
export interface ReportDays {
  fromDay: number
  untilDay: number | null
}

const messages = {
  empty: 'The period ends before it begins.',
  future: 'The period lies in the future.',
}

/** A period that no report can cover, as shows once the account's time zone is known. */
export class PeriodFault extends OperatorError {
  constructor(readonly fault: keyof typeof messages) {
    super(messages[fault])
  }
}

/** The days of the period in the account's time zone: a time is widened to its day. @throws PeriodFault when there is no day in it */
export function daysOf({ since, until }: ReportPeriod, timezone: string): ReportDays {
  const fromDay = dayOf(since, timezone)
  if (until === null) return { fromDay, untilDay: null }
  const untilDay = dayBehind(until, timezone)
  if (untilDay <= fromDay) throw new PeriodFault('empty')
  return { fromDay, untilDay }
}

/** After a change of the time zone, something may have been counted for a day that has not begun: it is none to come. */
export function refuseToCome(day: number, { today, knownLast }: { today: number; knownLast: number | null }): void {
  if (day > Math.max(today, knownLast ?? today)) throw new PeriodFault('future')
}

/** When that begins, epoch milliseconds, for what is kept with its time instead of a day. @throws PeriodFault */
export function sinceInstant(since: NamedMoment, { now, timezone }: { now: number; timezone: string }): number {
  if ('at' in since) return since.at
  refuseToCome(since.day, { today: localDay(now, timezone), knownLast: null })
  return startOfDay(since.day, timezone) + since.timeMs
}

const dayOf = (moment: NamedMoment, timezone: string): number =>
  'day' in moment ? moment.day : localDay(moment.at, timezone)

/** The first day that is not included any more: the moment's own when the day begins with it. */
function dayBehind(moment: NamedMoment, timezone: string): number {
  if ('day' in moment) return moment.timeMs === 0 ? moment.day : moment.day + 1
  const day = localDay(moment.at, timezone)
  return startOfDay(day, timezone) === moment.at ? day : day + 1
}
