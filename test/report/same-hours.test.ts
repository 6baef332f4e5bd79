// docs/reports.md: a day that is not over is compared with the same hours of the one before.
import { expect, test } from 'bun:test'
import { figuresAfter, withoutLater } from '../../src/report/same-hours.ts'
import { figuresOf } from './document/a-report.ts'

const hour = 3_600_000
const midnight = Date.UTC(2026, 9, 2)
const first = midnight / hour
const at = midnight + 9.5 * hour

const counted = (measure: 'hour_visit' | 'hour_visitor' | 'hour_lead', hours: number[], count = 1) =>
  hours.map((hour) => ({ measure, hour: first + hour, count }))

test('the hours behind the one that has begun are left out', () => {
  const later = figuresAfter([...counted('hour_visit', [0, 9, 10, 23], 2), ...counted('hour_lead', [9, 12])], at)
  expect(later).toEqual({ visits: 4, visitors: 0, views: 0, leads: 1, humanClicks: 0 })
})

test('only the last day is shortened, and with it the totals', () => {
  const before = figuresOf('2026-10-01', '2026-10-03', { of: () => ({ visits: 8, visitors: 6, leads: 2 }) })
  const report = { ...before, totals: { ...before.totals, visitors: 10 } }
  const hours = [
    ...counted('hour_visit', [9, 10], 4),
    ...counted('hour_visitor', [1, 10], 3),
    ...counted('hour_lead', [11]),
  ]
  const shortened = withoutLater(report, figuresAfter(hours, at), 6)
  expect(shortened.days.map(({ visits, visitors, leads }) => [visits, visitors, leads])).toEqual([
    [8, 6, 2],
    [4, 3, 1],
  ])
  // Half of the last day's visitors came by then: of the four that it added, two.
  expect(shortened.totals).toMatchObject({ visits: 12, visitors: 8, leads: 3 })
})

test('visitors that are not known stay so', () => {
  const report = figuresOf('2026-10-01', '2026-10-03')
  expect(withoutLater(report, figuresAfter([], at), null).totals.visitors).toBeNull()
})

test('hours that say more than their day leave nothing, never less', () => {
  const report = figuresOf('2026-10-01', '2026-10-02', { of: () => ({ visits: 2, visitors: 1, leads: 1 }) })
  const hours = [
    ...counted('hour_visit', [10], 3),
    ...counted('hour_visitor', [10], 2),
    ...counted('hour_lead', [10], 2),
  ]
  const { totals } = withoutLater(report, figuresAfter(hours, at), 0)
  expect(totals).toMatchObject({ visits: 0, visitors: 0, leads: 0 })
})
