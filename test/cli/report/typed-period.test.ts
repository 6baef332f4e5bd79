import { describe, expect, test } from 'bun:test'
import { inOptions, typedPeriod, typedSince } from '../../../src/cli/report/typed-period.ts'
import { dateOfDay, localDay } from '../../../src/lib/local-day.ts'
import { daysOf, refuseToCome, sinceInstant } from '../../../src/report/report-period.ts'

const now = Date.UTC(2026, 10, 21, 15, 30)
const first = (typed: string, timezone: string, knownLast?: string): string => {
  const { fromDay: day } = daysOf({ since: typedSince(typed, now), until: null }, timezone)
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

describe('the days of a report', () => {
  const days = (typed: { since?: string; until?: string; month?: string }, timezone = 'Europe/Berlin') => {
    const period = typedPeriod(typed, now)
    try {
      const { fromDay, untilDay } = daysOf(period, timezone)
      return [dateOfDay(fromDay), untilDay === null ? null : dateOfDay(untilDay)]
    } catch (error) {
      return inOptions(error)
    }
  }

  test.each(['UTC', 'America/Los_Angeles', 'Pacific/Auckland'])(
    'of a month are those of its dates in %s',
    (timezone) => {
      expect(days({ month: '2026-10' }, timezone)).toEqual(['2026-10-01', '2026-11-01'])
    },
  )

  test('of December end with the year', () => {
    expect(days({ month: '2025-12' })).toEqual(['2025-12-01', '2026-01-01'])
  })

  test('may be said by months', () => {
    expect(days({ since: '2026-09', until: '2026-11' })).toEqual(['2026-09-01', '2026-11-01'])
  })

  test('end before the date of --until', () => {
    expect(days({ since: '2026-11-01', until: '2026-11-03' })).toEqual(['2026-11-01', '2026-11-03'])
  })

  test.each([
    ['2026-11-03T10:00', '2026-11-04'],
    ['2026-11-03T00:00', '2026-11-03'],
    ['2026-11-02T23:00:00Z', '2026-11-03'],
    ['2026-11-02T23:00:01Z', '2026-11-04'],
  ])('hold the day that --until %s cuts', (until, end) => {
    expect(days({ since: '2026-11-01', until })).toEqual(['2026-11-01', end])
  })

  test.each([
    ['2026-10-01', ['2026-09-01', '2026-10-01']],
    ['2026-11', ['2026-10-02', '2026-11-01']],
    ['2026-10-01T12:00Z', ['2026-09-02', '2026-10-02']],
    ['60d', ['2026-08-24', '2026-09-23']],
    ['2999-01-01', ['2026-10-23', '2999-01-01']],
  ])('are the thirty before an --until %s without a --since', (until, period) => {
    expect(days({ until })).toEqual(period)
  })

  test.each([
    ['30d', '2026-10-23'],
    ['7d', '2026-11-15'],
    ['1w', '2026-11-15'],
    ['1d', '2026-11-21'],
    [undefined, '2026-10-23'],
  ])('of the last %s are so many calendar days, today included', (since, first) => {
    expect(days(since === undefined ? {} : { since })).toEqual([first, null])
  })

  test.each(['2026-11-01T00:30', '2026-11-01T23:30', '2026-11-01 23:30:15.5'])(
    'begin with the day of the account that %s, without a zone, stands on',
    (since) => {
      for (const timezone of ['Pacific/Auckland', 'America/Los_Angeles']) {
        expect(days({ since }, timezone)).toEqual(['2026-11-01', null])
      }
    },
  )

  test.each<[string, { since?: string; until?: string; month?: string }]>([
    ['--since is not before --until', { since: '2026-11-03', until: '2026-11-03' }],
    ['--since is not before --until', { since: '2026-11-03', until: '2026-11-01' }],
    ['--month is in the future', { month: '2026-12' }],
    ['--month takes a month such as 2026-10, not "2026-13"', { month: '2026-13' }],
    ['--month takes a month such as 2026-10, not "October"', { month: 'October' }],
    ['--month names the whole period', { month: '2026-10', since: '2026-10-02' }],
    ['--until takes a date', { until: 'yesterday' }],
  ])('are refused: %s', (message, typed) => {
    expect(() => days(typed)).toThrow(message)
  })
})

test('a time without a zone is the account’s own, where the time itself counts', () => {
  const at = sinceInstant(typedSince('2026-11-20T09:30', now), { now, timezone: 'Europe/Berlin' })
  expect(new Date(at).toISOString()).toBe('2026-11-20T08:30:00.000Z')
})
