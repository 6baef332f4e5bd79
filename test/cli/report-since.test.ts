import { describe, expect, test } from 'bun:test'
import { firstDay, refuseToCome, typedSince } from '../../src/cli/report-since.ts'
import { dateOfDay, localDay } from '../../src/processing/figures/local-day.ts'

const now = Date.UTC(2026, 10, 21, 15, 30)
const first = (typed: string, timezone: string, knownLast?: string): string => {
  const day = firstDay(typedSince(typed, now), timezone)
  const last = knownLast === undefined ? null : Date.parse(knownLast) / 86_400_000
  refuseToCome(day, { today: localDay(now, timezone), knownLast: last })
  return dateOfDay(day)
}

describe('the first day of a report', () => {
  test.each(['UTC', 'America/Los_Angeles', 'Europe/Berlin', 'Pacific/Auckland'])(
    'is the date that was named, in %s',
    (timezone) => {
      expect(first('2026-11-01', timezone)).toBe('2026-11-01')
    },
  )

  test('may be today there, where it is today no sooner elsewhere', () => {
    expect(first('2026-11-22', 'Pacific/Auckland')).toBe('2026-11-22')
    expect(() => first('2026-11-22', 'Europe/Berlin')).toThrow('future')
    expect(() => first('2026-11-23', 'Pacific/Auckland')).toThrow('future')
  })

  test('may be one that has not begun, where another time zone has counted for it, and none after that', () => {
    expect(first('2026-11-22', 'Europe/Berlin', '2026-11-22')).toBe('2026-11-22')
    expect(first('2026-11-21', 'Europe/Berlin', '2026-11-01')).toBe('2026-11-21')
    expect(() => first('2026-11-22', 'Europe/Berlin', '2026-11-21')).toThrow('future')
  })

  test.each([
    ['2026-11-01T02:00:00Z', 'America/New_York', '2026-10-31'],
    ['2026-11-01T02:00:00-05:00', 'America/New_York', '2026-11-01'],
    ['24h', 'Pacific/Auckland', '2026-11-21'],
  ])('of %s in %s is %s: a time is widened to its day', (typed, timezone, date) => {
    expect(first(typed, timezone)).toBe(date)
  })

  test('is never that of a time to come', () => {
    expect(() => first('2026-11-21T15:31:00Z', 'UTC')).toThrow('future')
  })
})
