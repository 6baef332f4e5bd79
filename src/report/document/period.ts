import { startOfMonth, startOfMonthAfter, startOfWeek } from '../../lib/calendar.ts'

/** A stretch of days since 1970-01-01 in the account's time zone; `untilDay` is not included. */
export interface DayRange {
  fromDay: number
  untilDay: number
}

/** The period of a report: a calendar month, a week from Monday, one day, or any other days. */
export interface DocumentPeriod extends DayRange {
  kind: 'day' | 'week' | 'month' | 'days'
}

/** A period and the previous one, each with the days that are compared. */
export interface ComparedPeriods {
  period: DocumentPeriod
  before: DocumentPeriod
  /** The part of the period that has begun, including today. */
  shown: DayRange
  /** As many days of the previous period; all of it once the period is over. */
  shownBefore: DayRange
  /** Whether its last day has ended. */
  isOver: boolean
}

/** The period of these days. The first and last day tell whether it is a month or a week. */
export function documentPeriod({ fromDay, untilDay }: DayRange): DocumentPeriod {
  return { kind: kindOf(fromDay, untilDay), fromDay, untilDay }
}

function kindOf(fromDay: number, untilDay: number): DocumentPeriod['kind'] {
  if (fromDay === startOfMonth(fromDay) && untilDay === startOfMonthAfter(fromDay, 1)) return 'month'
  if (fromDay === startOfWeek(fromDay) && untilDay === fromDay + 7) return 'week'
  return untilDay === fromDay + 1 ? 'day' : 'days'
}

/** The previous month, week or day; for other days, as many days before them. */
export function periodBefore({ kind, fromDay, untilDay }: DocumentPeriod): DocumentPeriod {
  const begin = kind === 'month' ? startOfMonthAfter(fromDay, -1) : fromDay - (untilDay - fromDay)
  return { kind, fromDay: begin, untilDay: fromDay }
}

/** Compares equal parts: a month of which ten days have begun is compared with the first ten days of the previous month. */
export function comparedPeriods(period: DocumentPeriod, today: number): ComparedPeriods {
  const before = periodBefore(period)
  const isOver = period.untilDay <= today
  const shown = {
    fromDay: period.fromDay,
    untilDay: Math.max(period.fromDay + 1, Math.min(period.untilDay, today + 1)),
  }
  const untilBefore = isOver ? before.untilDay : before.fromDay + shown.untilDay - shown.fromDay
  const shownBefore = { fromDay: before.fromDay, untilDay: Math.min(before.untilDay, untilBefore) }
  return { period, before, shown, shownBefore, isOver }
}
