import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { dueReports, lastWholePeriod, reportedDays } from '../../src/delivery/report-due.ts'
import { dateOfDay, localDay } from '../../src/lib/local-day.ts'

const intervals = ['day', 'week', 'month'] as const
/** Both sides of the date line, half hours, and both hemispheres' summer time. */
const timezones = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Santiago',
] as const
const longAgo = Date.UTC(2000, 0)

const at = (instant: string): number => Date.parse(instant)
const berlin = (every: (typeof intervals)[number]) => ({ every, timezone: 'Europe/Berlin' })
const periods = (due: { period: string }[]): string[] => due.map(({ period }) => period)

/** The wall clock there, as another way to tell. */
const clockThere = (epochMs: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(epochMs)

describe('a report is due', () => {
  test.each([
    ['month', '2026-11-01T06:00:00Z', '2026-10'],
    ['week', '2026-11-02T06:00:00Z', '2026-W44'],
    ['day', '2026-11-02T06:00:00Z', '2026-11-01'],
  ] as const)('each %s at 07:00 of the account’s time zone, and not a moment before', (every, instant, period) => {
    const history = { createdAt: at(instant) - 60_000, lastPeriod: null }
    expect(dueReports(berlin(every), { ...history, now: at(instant) - 1 })).toEqual([])
    expect(dueReports(berlin(every), { ...history, now: at(instant) })).toEqual([{ period, dueAt: at(instant) }])
  })

  test('an hour earlier by UTC in summer', () => {
    const history = { createdAt: at('2026-06-30T00:00:00Z'), lastPeriod: null, now: at('2026-07-01T05:00:00Z') }
    expect(periods(dueReports(berlin('month'), history))).toEqual(['2026-06'])
  })

  test('not for a destination that came after its time: that gets its first at the next one', () => {
    const createdAt = at('2026-11-01T06:00:00Z')
    expect(dueReports(berlin('month'), { createdAt, lastPeriod: null, now: at('2026-11-30T23:00:00Z') })).toEqual([])
    expect(
      periods(dueReports(berlin('month'), { createdAt, lastPeriod: null, now: at('2026-12-01T06:00:00Z') })),
    ).toEqual(['2026-11'])
  })

  test('when the box is back, if it was due while that was off; the latest three, oldest first', () => {
    const off = { createdAt: longAgo, lastPeriod: '2026-07', now: at('2026-10-20T12:00:00Z') }
    expect(periods(dueReports(berlin('month'), off))).toEqual(['2026-08', '2026-09'])
    const long = { createdAt: longAgo, lastPeriod: '2026-07-01', now: at('2026-10-20T12:00:00Z') }
    expect(periods(dueReports(berlin('day'), long))).toEqual(['2026-10-17', '2026-10-18', '2026-10-19'])
  })

  test('once a period, whenever it is asked', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...intervals),
        fc.constantFrom(...timezones),
        fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
        fc.array(fc.integer({ min: 60_000, max: 20 * 86_400_000 }), { minLength: 1, maxLength: 40 }),
        (every, timezone, createdAt, gaps) => {
          const sent: string[] = []
          let now = createdAt
          for (const gap of gaps) {
            now += gap
            for (const due of dueReports({ every, timezone }, { createdAt, lastPeriod: sent.at(-1) ?? null, now })) {
              expect(due.dueAt).toBeLessThanOrEqual(now)
              expect(due.dueAt).toBeGreaterThan(createdAt)
              expect(clockThere(due.dueAt, timezone)).toEndWith(' 07:00:00')
              expect(clockThere(due.dueAt, timezone)).toStartWith(dateOfDay(reportedDays(due.period).untilDay))
              sent.push(due.period)
            }
          }
          expect(new Set(sent).size).toBe(sent.length)
          expect(sent).toEqual(sent.toSorted())
        },
      ),
    )
  })

  test.each(timezones)(
    'without a gap where nobody misses a turn, through every change of the clocks: %s',
    (timezone) => {
      for (const every of intervals) {
        const createdAt = Date.UTC(2026, 0, 10, 12)
        const sent: string[] = []
        for (let now = createdAt; now < Date.UTC(2027, 0, 10); now += 12 * 3_600_000) {
          sent.push(...periods(dueReports({ every, timezone }, { createdAt, lastPeriod: sent.at(-1) ?? null, now })))
        }
        const ranges = sent.map(reportedDays)
        expect(ranges.slice(1).map(({ fromDay }) => fromDay)).toEqual(
          ranges.slice(0, -1).map(({ untilDay }) => untilDay),
        )
        expect(sent.length).toBeGreaterThan(10)
      }
    },
  )

  test('neither twice nor never when the account moves to another time zone between two', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...intervals),
        fc.array(fc.constantFrom(...timezones), { minLength: 60, maxLength: 60 }),
        (every, moves) => {
          const createdAt = Date.UTC(2026, 2, 1, 12)
          const sent: string[] = []
          moves.forEach((timezone, day) => {
            const now = createdAt + day * 86_400_000
            sent.push(...periods(dueReports({ every, timezone }, { createdAt, lastPeriod: sent.at(-1) ?? null, now })))
          })
          const ranges = sent.map(reportedDays)
          expect(ranges.slice(1).map(({ fromDay }) => fromDay)).toEqual(
            ranges.slice(0, -1).map(({ untilDay }) => untilDay),
          )
        },
      ),
    )
  })

  test('once when days are wanted in place of months, and at the next turn the other way round', () => {
    const now = at('2026-11-15T12:00:00Z')
    expect(periods(dueReports(berlin('day'), { createdAt: longAgo, lastPeriod: '2026-10', now }))).toEqual([
      '2026-11-14',
    ])
    expect(dueReports(berlin('month'), { createdAt: longAgo, lastPeriod: '2026-11-14', now })).toEqual([])
  })
})

describe('the period of a report', () => {
  test('is the last one that is over', () => {
    const today = localDay(at('2027-01-03T12:00:00Z'), 'UTC')
    expect(intervals.map((every) => lastWholePeriod(every, today))).toEqual(['2027-01-02', '2026-W52', '2026-12'])
  })

  test('is told by its name', () => {
    const days = (period: string) => {
      const { fromDay, untilDay } = reportedDays(period)
      return [dateOfDay(fromDay), dateOfDay(untilDay)]
    }
    expect(days('2026-02')).toEqual(['2026-02-01', '2026-03-01'])
    expect(days('2026-W53')).toEqual(['2026-12-28', '2027-01-04'])
    expect(days('2026-12-31')).toEqual(['2026-12-31', '2027-01-01'])
    for (const wrong of ['2026-13', '2026-W54', '2026-02-30', 'W', '', '2026']) {
      expect(() => reportedDays(wrong)).toThrow('not a report’s period')
    }
  })
})
