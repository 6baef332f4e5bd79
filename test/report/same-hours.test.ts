// docs/reports.md: a day that is not over is compared with the same hours of the one before.
import { expect, test } from 'bun:test'
import { figuresAfter, sameTimeOn, withoutLater } from '../../src/report/same-hours.ts'
import { figuresOf } from './document/a-report.ts'

const hour = 3_600_000
const midnight = Date.UTC(2026, 9, 2)
const first = midnight / hour
const part = { begin: midnight, at: midnight + 9.5 * hour, end: midnight + 24 * hour }

const counted = (measure: 'hour_visit' | 'hour_visitor' | 'hour_lead', hours: number[], count = 1) =>
  hours.map((hour) => ({ measure, hour: first + hour, count }))

test('later hours are left out, and of the one that has begun the share that was to come', () => {
  const later = figuresAfter([...counted('hour_visit', [0, 9, 10, 23], 2), ...counted('hour_lead', [8, 12])], part)
  expect(later).toEqual({ visits: 5, visitors: 0, views: 0, leads: 1, humanClicks: 0 })
})

test('an hour in which a day begins counts from there on', () => {
  // In Kolkata, at ten past midnight: of the hour from 18:00 UTC on, half is of the day, and ten minutes of that are over.
  const begin = Date.UTC(2026, 9, 1, 18, 30)
  const kolkata = { begin, at: begin + hour / 6, end: begin + 24 * hour }
  const hours = [{ measure: 'hour_view', hour: Date.UTC(2026, 9, 1, 18) / hour, count: 30 }] as const
  expect(figuresAfter(hours, kolkata).views).toBe(20)
})

const october = (day: number) => Date.UTC(2026, 9, day) / (24 * hour)
const march = (day: number) => Date.UTC(2026, 2, day) / (24 * hour)

test.each([
  ['a day of 25 hours with the one before', '2026-10-25T11:00:00Z', october(24), '2026-10-24T10:00:00Z', 24],
  ['the one before, after clocks were put back', '2026-10-26T11:00:00Z', october(25), '2026-10-25T11:00:00Z', 25],
  ['a day of 23 hours with the one before', '2026-03-29T10:00:00Z', march(28), '2026-03-28T11:00:00Z', 24],
  ['the one before, after clocks were put forward', '2026-03-30T10:00:00Z', march(29), '2026-03-29T10:00:00Z', 23],
  ['the moment at which clocks skip the time', '2026-03-30T00:30:00Z', march(29), '2026-03-29T01:00:00Z', 23],
])('noon is compared with noon: %s', (_, now, day, at, hours) => {
  const found = sameTimeOn(day, Date.parse(now), 'Europe/Berlin')
  expect([new Date(found.at).toISOString(), (found.end - found.begin) / hour]).toEqual([
    at.replace('Z', '.000Z'),
    hours,
  ])
})

test('only the last day is shortened, and with it the totals', () => {
  const before = figuresOf('2026-10-01', '2026-10-03', { of: () => ({ visits: 8, visitors: 6, leads: 2 }) })
  const report = { ...before, totals: { ...before.totals, visitors: 10 } }
  const hours = [
    ...counted('hour_visit', [8, 10], 4),
    ...counted('hour_visitor', [1, 10], 3),
    ...counted('hour_lead', [11]),
  ]
  const shortened = withoutLater(report, figuresAfter(hours, part), 6)
  expect(shortened.days.map(({ visits, visitors, leads }) => [visits, visitors, leads])).toEqual([
    [8, 6, 2],
    [4, 3, 1],
  ])
  // Half of the last day's visitors came by then: of the four that it added, two.
  expect(shortened.totals).toMatchObject({ visits: 12, visitors: 8, leads: 3 })
})

test('hours that say more than their day leave nothing, never less', () => {
  const report = figuresOf('2026-10-01', '2026-10-02', { of: () => ({ visits: 2, visitors: 1, leads: 1 }) })
  const hours = [
    ...counted('hour_visit', [10], 3),
    ...counted('hour_visitor', [10], 2),
    ...counted('hour_lead', [10], 2),
  ]
  const { totals } = withoutLater(report, figuresAfter(hours, part), 0)
  expect(totals).toMatchObject({ visits: 0, visitors: 0, leads: 0 })
})
