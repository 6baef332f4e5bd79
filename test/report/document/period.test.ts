import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Locale } from '../../../src/language/locale.ts'
import {
  beforeInWords,
  comparedPeriods,
  documentPeriod,
  periodBefore,
  periodHeadings,
  periodTitle,
} from '../../../src/report/document/period.ts'
import { dayOf } from './a-report.ts'

const periodOf = (from: string, until: string) => documentPeriod({ fromDay: dayOf(from), untilDay: dayOf(until) })
const english = new Locale('en')
const october = periodOf('2026-10-01', '2026-11-01')

const ranges = fc
  .record({ fromDay: fc.integer({ min: 0, max: 40_000 }), days: fc.integer({ min: 1, max: 400 }) })
  .map(({ fromDay, days }) => ({ fromDay, untilDay: fromDay + days }))

describe('the period of a report', () => {
  test.each([
    ['2026-10-01', '2026-11-01', 'month', 'October 2026'],
    ['2024-02-01', '2024-03-01', 'month', 'February 2024'],
    ['2026-10-12', '2026-10-19', 'week', 'Week 42 of 2026'],
    ['2026-12-28', '2027-01-04', 'week', 'Week 53 of 2026'],
    ['2026-10-12', '2026-10-13', 'day', 'Monday, 12 October 2026'],
    ['2026-10-13', '2026-10-20', 'days', '13–19 October 2026'],
    ['2026-09-28', '2026-10-05', 'week', 'Week 40 of 2026'],
    ['2025-12-20', '2026-01-10', 'days', '20 December 2025 – 9 January 2026'],
    ['2026-09-20', '2026-10-10', 'days', '20 September – 9 October 2026'],
  ])('from %s until %s is a %s, %s', (from, until, kind, title) => {
    const period = periodOf(from, until)
    expect([period.kind as string, periodTitle(period, english)]).toEqual([kind, title])
  })

  test('follows the one before without a gap, which is of the same kind', () => {
    fc.assert(
      fc.property(ranges, (range) => {
        const period = documentPeriod(range)
        const before = periodBefore(period)
        expect(before.untilDay).toBe(period.fromDay)
        expect(documentPeriod(before).kind).toBe(period.kind)
        if (period.kind !== 'month') expect(before.untilDay - before.fromDay).toBe(period.untilDay - period.fromDay)
      }),
    )
  })

  test('is compared with as many days of the one before as have begun of it', () => {
    fc.assert(
      fc.property(ranges, fc.integer({ min: 0, max: 500 }), (range, later) => {
        const today = range.fromDay + later
        const { before, shown, shownBefore, isOver } = comparedPeriods(documentPeriod(range), today)
        expect(isOver).toBe(range.untilDay <= today)
        expect(shown.untilDay).toBe(isOver ? range.untilDay : today + 1)
        expect(shownBefore.untilDay).toBeLessThanOrEqual(before.untilDay)
        if (isOver) expect(shownBefore).toEqual({ fromDay: before.fromDay, untilDay: before.untilDay })
        else if (shownBefore.untilDay < before.untilDay)
          expect(shownBefore.untilDay - shownBefore.fromDay).toBe(shown.untilDay - shown.fromDay)
      }),
    )
  })

  test('of 31 days that are not over is compared with all 28 of a February', () => {
    const march = periodOf('2026-03-01', '2026-04-01')
    const { shownBefore } = comparedPeriods(march, dayOf('2026-03-30'))
    expect(shownBefore).toEqual({ fromDay: dayOf('2026-02-01'), untilDay: dayOf('2026-03-01') })
  })

  test.each([
    [october, '2026-11-22', 'in September', 'October', 'September'],
    [october, '2026-10-10', 'on 1–10 September', '1\u2060–\u206010\u00a0Oct', '1\u2060–\u206010\u00a0Sept'],
    [october, '2026-10-01', 'on 1 September', '1\u00a0Oct', '1\u00a0Sept'],
    [periodOf('2026-10-12', '2026-10-19'), '2026-11-22', 'the week before', 'Week\u00a042', 'Week\u00a041'],
    [periodOf('2026-10-01', '2026-10-02'), '2026-11-22', 'the day before', '1\u00a0Oct', '30\u00a0Sept'],
    [
      periodOf('2026-10-03', '2026-10-08'),
      '2026-11-22',
      'in the 5 days before',
      '3\u2060–\u20607\u00a0Oct',
      '28\u00a0Sept\u00a0– 2\u00a0Oct',
    ],
  ])('names itself and the one before: %o on %s', (period, today, words, now, before) => {
    const compared = comparedPeriods(period, dayOf(today))
    expect(beforeInWords(compared, english)).toBe(words)
    expect(periodHeadings(compared, english)).toEqual({ now, before })
  })
})
