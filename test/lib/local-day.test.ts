import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { dateOfDay, LocalDays, localDay, startOfDay } from '../../src/lib/local-day.ts'

/** Whole hours, half and quarter ones, both sides of the date line, and some that changed their minds. */
const timezones = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Havana',
  'Africa/Casablanca',
]

const instants = fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2060, 0, 1) })

/** Another way to ask: the parts of the date, in another locale. */
function dateByIntl(epochMs: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' })
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, value]))
  const two = (type: 'month' | 'day') => (parts.get(type) ?? '').padStart(2, '0')
  return `${parts.get('year')}-${two('month')}-${two('day')}`
}

describe('the local day of an instant', () => {
  test('is the date there, whatever the time zone and whatever was asked before', () => {
    const days = new LocalDays()
    fc.assert(
      fc.property(instants, fc.constantFrom(...timezones), (instant, timezone) => {
        const date = dateByIntl(instant, timezone)
        expect(dateOfDay(localDay(instant, timezone))).toBe(date)
        expect(dateOfDay(days.of(instant, timezone))).toBe(date)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['UTC', '2026-11-20T23:59:59.999Z', '2026-11-20'],
    ['UTC', '2026-11-21T00:00:00.000Z', '2026-11-21'],
    ['Asia/Kolkata', '2026-11-20T18:29:59.999Z', '2026-11-20'],
    ['Asia/Kolkata', '2026-11-20T18:30:00.000Z', '2026-11-21'],
    ['Asia/Kathmandu', '2026-11-20T18:15:00.000Z', '2026-11-21'],
    ['America/New_York', '2026-11-20T04:59:59.999Z', '2026-11-19'],
    // The night in which the clocks go forward, and the one in which they go back.
    ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00.000Z', '2026-03-30'],
    ['Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T23:00:00.000Z', '2026-10-26'],
    ['Pacific/Kiritimati', '2026-11-20T10:00:00.000Z', '2026-11-21'],
  ])('in %s, %s is %s', (timezone, instant, date) => {
    expect(dateOfDay(localDay(Date.parse(instant), timezone))).toBe(date)
  })

  test('begins at one instant, at midnight or where the clocks leap over it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 15_000, max: 30_000 }), fc.constantFrom(...timezones), (day, timezone) => {
        const startAt = startOfDay(day, timezone)
        expect([localDay(startAt - 1, timezone), localDay(startAt, timezone)]).toEqual([day - 1, day])
      }),
      { numRuns: 300 },
    )
  })

  test('counts from 1970-01-01, which is 0', () => {
    expect([localDay(0, 'UTC'), localDay(-1, 'UTC'), localDay(86_400_000, 'UTC')]).toEqual([0, -1, 1])
  })
})
