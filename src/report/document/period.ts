import {
  type CalendarDate,
  calendarDate,
  isoWeek,
  startOfMonth,
  startOfMonthAfter,
  startOfWeek,
  weekday,
} from '../../lib/calendar.ts'

/** A stretch of days since 1970-01-01 in the account's time zone; `untilDay` is not included. */
export interface DayRange {
  fromDay: number
  untilDay: number
}

/** The period of a report: a calendar month, a week from Monday, one day, or any other days. */
interface DocumentPeriod extends DayRange {
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

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const shortCharacters = 3

/** `October 2026`, `Week 42 of 2026`, `Monday, 12 October 2026`, `3 to 17 October 2026`. */
export function periodTitle(period: DocumentPeriod): string {
  const { fromDay } = period
  if (period.kind === 'month') return `${monthName(fromDay)} ${calendarDate(fromDay).year}`
  if (period.kind === 'day') return `${weekdays[weekday(fromDay) - 1] ?? ''}, ${fullDate(fromDay)}`
  if (period.kind === 'days') return rangeText(period)
  const { week, year } = isoWeek(fromDay)
  return `Week ${week} of ${year}`
}

/** The column headings of a period and of the one before; `null`: there is nothing to compare with. */
export interface Headings {
  now: string
  before: string | null
}

/** `October`, `Week 42`, `12 Oct`; for a part of it, `1–9 Oct`. */
export function periodHeadings({
  period,
  before,
  shown,
  shownBefore,
  isOver,
}: ComparedPeriods): Record<keyof Headings, string> {
  if (!isOver) return { now: shortRange(shown), before: shortRange(shownBefore) }
  return { now: periodHeading(period), before: periodHeading(before) }
}

function periodHeading(period: DocumentPeriod): string {
  if (period.kind === 'month') return monthName(period.fromDay)
  return period.kind === 'week' ? unbroken(`Week ${isoWeek(period.fromDay).week}`) : shortRange(period)
}

/** `12–18 Oct`, `28 Sep – 4 Oct`: a narrow column breaks it only at the dash. */
function shortRange({ fromDay, untilDay }: DayRange): string {
  const last = untilDay - 1
  const end = unbroken(dayLabel(last))
  if (fromDay === last) return end
  if (startOfMonth(fromDay) === startOfMonth(last)) return `${calendarDate(fromDay).dayOfMonth}${unbrokenDash}${end}`
  return `${unbroken(dayLabel(fromDay))}\u00a0– ${end}`
}

/** A line would be broken after a dash alone; word joiners (U+2060) keep it whole. */
const unbrokenDash = '\u2060–\u2060'

const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')

/** The time that a sentence compares with: `in September`, `the week before`. */
export function beforeInWords({ before, shownBefore, isOver }: ComparedPeriods): string {
  const { kind, fromDay } = before
  const days = shownBefore.untilDay - shownBefore.fromDay
  const first = days === 1 ? 'on the first day' : `in the first ${days} days`
  if (kind === 'month') return isOver ? `in ${monthName(fromDay)}` : `${first} of ${monthName(fromDay)}`
  if (kind === 'week' && !isOver) return `${first} of the week before`
  return kind === 'days' ? `in the ${days} days before` : `the ${kind} before`
}

/** The dates of a period, unless its title has them, and its time zone. */
export function datesText({ period, shown }: ComparedPeriods, timezone: string): string {
  const isTitled = period.kind === 'day' || period.kind === 'days'
  return isTitled ? `Time zone ${timezone}` : `${rangeText(shown)} · time zone ${timezone}`
}

/** `3 to 17 October 2026`: the first date has only what differs from the last. */
function rangeText({ fromDay, untilDay }: DayRange): string {
  const last = untilDay - 1
  const [one, other] = [calendarDate(fromDay), calendarDate(last)]
  const end = `${other.dayOfMonth} ${monthName(last)} ${other.year}`
  if (fromDay === last) return end
  return `${beginText(one, other, monthName(fromDay))} to ${end}`
}

function beginText(begin: CalendarDate, end: CalendarDate, month: string): string {
  if (begin.year !== end.year) return `${begin.dayOfMonth} ${month} ${begin.year}`
  return begin.month === end.month ? String(begin.dayOfMonth) : `${begin.dayOfMonth} ${month}`
}

/** `12 October 2026`. */
export const fullDate = (day: number): string => rangeText({ fromDay: day, untilDay: day + 1 })

/** `12 Oct`. */
export const dayLabel = (day: number): string => `${calendarDate(day).dayOfMonth} ${shortMonth(day)}`

/** `Mon 12 Oct`. */
export const weekdayLabel = (day: number): string =>
  `${(weekdays[weekday(day) - 1] ?? '').slice(0, shortCharacters)} ${dayLabel(day)}`

/** `Oct 2026`. */
export const monthLabel = (day: number): string => `${shortMonth(day)} ${calendarDate(day).year}`

const monthName = (day: number): string => months[calendarDate(day).month - 1] ?? ''
const shortMonth = (day: number): string => monthName(day).slice(0, shortCharacters)

/** The day of a date such as `2026-10-12`. */
export const dayOfDate = (date: string): number => Date.parse(date) / 86_400_000
