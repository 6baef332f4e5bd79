import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { calendarDate, isoWeek, startOfMonth, startOfMonthAfter, startOfWeek, weekday } from '../../src/lib/calendar.ts'

const epoch = Temporal.PlainDate.from('1970-01-01')
const dateOf = (day: number) => epoch.add({ days: day })
const dayOf = (date: Temporal.PlainDate) => epoch.until(date, { largestUnit: 'days' }).days

/** From 1900 to 2200. */
const days = fc.integer({ min: -25_567, max: 84_006 })

const holds = (claim: (day: number, date: Temporal.PlainDate) => void) =>
  fc.assert(fc.property(days, (day) => claim(day, dateOf(day))))

describe('the calendar', () => {
  test('knows the date of a day', () => {
    holds((day, { year, month, day: dayOfMonth }) => expect(calendarDate(day)).toEqual({ year, month, dayOfMonth }))
  })

  test('knows weekdays, and weeks begin on Mondays', () => {
    holds((day, { dayOfWeek }) => {
      expect(weekday(day)).toBe(dayOfWeek)
      expect(startOfWeek(day)).toBe(day - dayOfWeek + 1)
    })
  })

  test('numbers weeks as ISO 8601 does', () => {
    holds((day, { weekOfYear, yearOfWeek }) =>
      expect(isoWeek(day)).toEqual({ year: yearOfWeek ?? Number.NaN, week: weekOfYear ?? Number.NaN }),
    )
  })

  test('finds the first day of a month, and of months before and after it', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -30, max: 30 }), (day, months) => {
        const first = dateOf(day).with({ day: 1 })
        expect(startOfMonth(day)).toBe(dayOf(first))
        expect(startOfMonthAfter(day, months)).toBe(dayOf(first.add({ months })))
      }),
    )
  })
})
