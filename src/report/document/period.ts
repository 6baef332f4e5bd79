import type { Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import { calendarDate, isoWeek, startOfMonth, startOfMonthAfter, startOfWeek } from '../../lib/calendar.ts'
import { capitalised } from '../../lib/capitalised.ts'

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

/** `October 2026`, `Week 42 of 2026`, `Monday, 12 October 2026`, `3–17 October 2026`. */
export function periodTitle(period: DocumentPeriod, locale: Locale): string {
  const { fromDay } = period
  if (period.kind === 'month') return capitalised(locale.day(fromDay, 'month'))
  if (period.kind === 'day') return capitalised(locale.day(fromDay, 'weekdayDate'))
  return period.kind === 'days' ? rangeText(period, locale) : filled(locale.texts.report.weekOfYear, isoWeek(fromDay))
}

/** The column headings of a period and of the one before; `null`: there is nothing to compare with. */
export interface Headings {
  now: string
  before: string | null
}

/** `October`, `Week 42`, `12 Oct`; for a part of it, `1–9 Oct`. */
export function periodHeadings(
  { period, before, shown, shownBefore, isOver }: ComparedPeriods,
  locale: Locale,
): Record<keyof Headings, string> {
  if (!isOver) return { now: shortRange(shown, locale), before: shortRange(shownBefore, locale) }
  return { now: periodHeading(period, locale), before: periodHeading(before, locale) }
}

function periodHeading(period: DocumentPeriod, locale: Locale): string {
  if (period.kind === 'month') return capitalised(locale.day(period.fromDay, 'monthAlone'))
  if (period.kind !== 'week') return shortRange(period, locale)
  return unbroken(filled(locale.texts.report.week, { week: isoWeek(period.fromDay).week }))
}

/** `12–18 Oct`, `28 Sept – 4 Oct`: a narrow column breaks it only at a dash between blanks. */
const shortRange = ({ fromDay, untilDay }: DayRange, locale: Locale): string =>
  unbroken(locale.days(fromDay, untilDay - 1, 'short')).replace(/\u00a0–\u00a0/, '\u00a0– ')

/** A line would be broken at a blank and after a dash; word joiners (U+2060) keep it whole. */
const unbroken = (text: string): string => joined(text.replaceAll(/\s/g, '\u00a0'))

/** Not broken after the dash of `1–9 September`. */
export const joined = (text: string): string => text.replaceAll(/(?<=\S)–(?=\S)/g, '\u2060–\u2060')

/** The time that a sentence compares with: `in September`, `the week before`, `on 1–9 September`. */
export function beforeInWords({ before, shownBefore }: ComparedPeriods, locale: Locale): string {
  const { when } = locale.texts.report
  const { kind, fromDay, untilDay } = before
  if (shownBefore.untilDay < untilDay) return daysInWords(shownBefore, locale)
  if (kind === 'month') return when.months[calendarDate(fromDay).month - 1] ?? ''
  return kind === 'days' ? locale.plural(when.days, untilDay - fromDay) : when[kind]
}

function daysInWords({ fromDay, untilDay }: DayRange, locale: Locale): string {
  const { when } = locale.texts.report
  if (untilDay === fromDay + 1) return filled(when.date, { date: locale.day(fromDay, 'dayOfMonth') })
  return filled(when.dates, { dates: locale.days(fromDay, untilDay - 1, 'dayOfMonth') })
}

/** The dates of a period, unless its title has them, and its time zone. */
export function datesText({ period, shown }: ComparedPeriods, zone: string, locale: Locale): string {
  const texts = locale.texts.report
  const isTitled = period.kind === 'day' || period.kind === 'days'
  return isTitled ? filled(texts.zone, { zone }) : filled(texts.dates, { dates: rangeText(shown, locale), zone })
}

/** `3–17 October 2026`. */
const rangeText = ({ fromDay, untilDay }: DayRange, locale: Locale): string =>
  locale.days(fromDay, untilDay - 1, 'date')

/** The day of a date such as `2026-10-12`. */
export const dayOfDate = (date: string): number => Date.parse(date) / 86_400_000
