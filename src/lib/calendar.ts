// Dates of the Gregorian calendar as days since 1970-01-01, in no time zone. lib/local-day.ts maps instants to them.

const dayMs = 86_400_000

export interface CalendarDate {
  year: number
  /** 1 to 12. */
  month: number
  /** 1 to 31. */
  dayOfMonth: number
}

export function calendarDate(day: number): CalendarDate {
  const date = new Date(day * dayMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate() }
}

/** 1: Monday, to 7: Sunday (ISO 8601). 1970-01-01 was a Thursday. */
export const weekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

export const startOfWeek = (day: number): number => day - weekday(day) + 1

export function startOfMonth(day: number): number {
  const { year, month } = calendarDate(day)
  return Date.UTC(year, month - 1) / dayMs
}

/** The first day of the month so many months after the day's own; negative: before it. */
export function startOfMonthAfter(day: number, months: number): number {
  const { year, month } = calendarDate(day)
  return Date.UTC(year, month - 1 + months) / dayMs
}

/** The ISO 8601 week: it begins on a Monday and belongs to the year of its Thursday. */
export function isoWeek(day: number): { year: number; week: number } {
  const thursday = startOfWeek(day) + 3
  const { year } = calendarDate(thursday)
  const firstOfYear = Date.UTC(year, 0) / dayMs
  return { year, week: Math.floor((thursday - firstOfYear) / 7) + 1 }
}
