import { describe, expect, test } from 'bun:test'
import { type Split, splitKey, versionKey } from '../../src/account/split.ts'
import { localDay } from '../../src/lib/local-day.ts'
import type { StoredFigures } from '../../src/report/figures-reader.ts'
import { figuresReport } from '../../src/report/figures-report.ts'

const day = (date: string) => localDay(Date.parse(date), 'UTC')
const hour = (instant: string) => Date.parse(instant) / 3_600_000

/** What is stored of an account that has been there since 10 November. */
const stored = (overrides: Partial<StoredFigures> = {}): StoredFigures => ({
  byDay: [],
  byName: [],
  byHour: [],
  refusals: [],
  missing: [],
  visitors: 0,
  quarantined: 0,
  goalsSince: [],
  goalsFirstDone: [],
  known: { first: day('2026-11-10'), last: day('2026-11-20') },
  ...overrides,
})

const report = (
  kept: StoredFigures,
  {
    from = '2026-11-18',
    to = '2026-11-20',
    timezone = 'UTC',
    forms = [{ id: 'contact1', name: 'Contact' }],
    splits = [] as Split[],
  } = {},
) => figuresReport(kept, { fromDay: day(from), toDay: day(to), timezone }, { goals: [], funnels: [], splits, forms })

const datesOf = ({ days }: ReturnType<typeof report>) => days.map(({ date }) => date)

describe('a report of figures', () => {
  test('has every day of its time, with or without anything', () => {
    const byDay: StoredFigures['byDay'] = [{ day: day('2026-11-19'), measure: 'view', count: 3 }]
    const { from, to, days } = report(stored({ byDay }))
    expect([from, to]).toEqual(['2026-11-18', '2026-11-20'])
    expect(days.map(({ date, views }) => [date, views])).toEqual([
      ['2026-11-18', 0],
      ['2026-11-19', 3],
      ['2026-11-20', 0],
    ])
  })

  test('says since when a page is split, if that is within its time, or earlier where it was counted before', () => {
    const splits = [{ page: 'launch', variants: [{ name: 'b', page: 'launch-b', share: 50 }] }]
    const sinceOf = (kept: Partial<StoredFigures>) => report(stored(kept), { splits }).splits[0]?.since
    const goalsSince = [{ key: splitKey('launch'), since: Date.parse('2026-11-20T10:00:00Z') }]
    const counted = { name: versionKey('launch', 'b'), day: day('2026-11-19') }
    expect([
      sinceOf({}),
      sinceOf({ goalsSince }),
      sinceOf({ goalsSince, goalsFirstDone: [counted] }),
      sinceOf({ goalsSince, goalsFirstDone: [{ ...counted, day: day('2026-11-18') }] }),
    ]).toEqual([null, '2026-11-20', '2026-11-19', null])
  })

  test('begins its days with the first that anything was counted for', () => {
    expect(datesOf(report(stored(), { from: '2020-01-01', to: '2026-11-12' }))).toEqual([
      '2026-11-10',
      '2026-11-11',
      '2026-11-12',
    ])
  })

  test('has no days of an account that nothing was ever counted of', () => {
    expect(report(stored({ known: null }))).toMatchObject({ days: [], known: null, totals: { visits: 0 } })
  })

  test('goes on to a day that has not begun, for which an earlier time zone has counted', () => {
    const byDay: StoredFigures['byDay'] = [{ day: day('2026-11-21'), measure: 'view', count: 1 }]
    const { to, totals } = report(stored({ byDay }))
    expect([to, totals.views]).toEqual(['2026-11-21', 1])
  })

  test('counts a visitor on each day, and once in total', () => {
    const byDay: StoredFigures['byDay'] = [
      { day: day('2026-11-19'), measure: 'visitor', count: 2 },
      { day: day('2026-11-20'), measure: 'visitor', count: 2 },
    ]
    const { days, totals } = report(stored({ byDay, visitors: 3 }))
    expect(days.map(({ visitors }) => visitors)).toEqual([0, 2, 2])
    expect(totals.visitors).toBe(3)
  })

  test('names forms and orders them by their leads; one that is no longer there has no name', () => {
    const byName: StoredFigures['byName'] = [
      { measure: 'lead', name: 'contact1', count: 1 },
      { measure: 'duplicate', name: 'contact1', count: 4 },
      { measure: 'lead', name: 'oldform1', count: 2 },
    ]
    expect(report(stored({ byName })).forms).toEqual([
      { id: 'oldform1', name: null, leads: 2, likelyDuplicates: 0 },
      { id: 'contact1', name: 'Contact', leads: 1, likelyDuplicates: 4 },
    ])
  })

  test('puts a message without a human click last, and links without a message under null', () => {
    const byName: StoredFigures['byName'] = [
      { measure: 'click_machine', name: 'scanned', count: 9 },
      { measure: 'click_human', name: '', count: 1 },
      { measure: 'click_suspected', name: '', count: 2 },
    ]
    expect(report(stored({ byName })).messages).toEqual([
      { message: null, human: 1, suspected: 2, machine: 0 },
      { message: 'scanned', human: 0, suspected: 0, machine: 9 },
    ])
  })

  test('puts refusals on the local day that their hour begins on', () => {
    const byHour: StoredFigures['byHour'] = [
      { hour: hour('2026-11-18T18:00:00Z'), refused: 1, lostPageViews: 0 },
      { hour: hour('2026-11-18T19:00:00Z'), refused: 2, lostPageViews: 0 },
      { hour: hour('2026-11-19T01:00:00Z'), refused: 7, lostPageViews: 5 },
    ]
    // Half past six in the evening of UTC is midnight there.
    const { days, totals } = report(stored({ byHour }), { timezone: 'Asia/Kolkata' })
    expect(days.map(({ refused, lostPageViews }) => [refused, lostPageViews])).toEqual([
      [1, 0],
      [9, 5],
      [0, 0],
    ])
    expect(totals).toMatchObject({ refused: 10, lostPageViews: 5 })
  })
})
