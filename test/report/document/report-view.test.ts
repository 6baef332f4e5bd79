import { describe, expect, test } from 'bun:test'
import type { ReportDocument } from '../../../src/report/document/report-document.ts'
import { reportView } from '../../../src/report/document/report-view.ts'
import type { ListName } from '../../../src/report/figures.ts'
import { aReport, channelsOf } from './a-report.ts'

const figureOf = (document: ReturnType<typeof aReport>, label: string) => {
  const { value, comparison, note } = reportView(document).keyFigures.find((figure) => figure.label === label) ?? {}
  return { value, words: comparison?.words ?? null, before: comparison?.beforeText ?? null, note }
}

/** One day's figures stand for the month's. */
const onThe1st =
  (figures: object, first: string) =>
  (day: number): object =>
    day === Date.parse(first) / 86_400_000 ? figures : {}
const october = (figures: object) => ({ of: onThe1st(figures, '2026-10-01') })
const september = (figures: object) => ({ of: onThe1st(figures, '2026-09-01') })

describe('the figures a report begins with', () => {
  test.each([
    [120, 100, '20% more'],
    [50, 100, '50% fewer'],
    [1001, 1000, 'under 1% more'],
    [2, 1, '1 more'],
    [16, 19, '3 fewer'],
    [0, 0, 'none in both'],
    [5, 0, 'none before'],
    [0, 40, 'none now'],
    [40, 40, 'as many'],
  ])('%i leads after %i are "%s"', (now, before, words) => {
    const document = aReport({ now: october({ leads: now }), earlier: september({ leads: before }) })
    expect(figureOf(document, 'Leads')).toEqual({
      value: String(now).replace('1001', '1,001'),
      words,
      before: String(before).replace('1000', '1,000'),
      note: null,
    })
  })

  test('tell the conversion as leads for a hundred visits, and its change in points', () => {
    const document = aReport({
      now: october({ leads: 30, visits: 1000 }),
      earlier: september({ leads: 20, visits: 800 }),
    })
    expect(figureOf(document, 'Conversion')).toEqual({
      value: '3.0%',
      words: '0.5 points more',
      before: '2.5%',
      note: null,
    })
  })

  test('know no conversion where nobody visited, or leads came without visits', () => {
    const why = (figures: object) => figureOf(aReport({ now: october(figures) }), 'Conversion').note
    expect(why({})).toBe('There were no visits.')
    expect(why({ visits: 2, leads: 3 })).toBe('There were more leads than visits.')
  })

  test('count no lead without a known visit towards the conversion, and say so', () => {
    const entryPages = [
      { name: '/launch', visits: 5, leads: 1 },
      { name: 'unknown', visits: 0, leads: 3 },
    ]
    const now = { ...october({ leads: 4, visits: 5 }), channels: channelsOf({ entryPages }) }
    expect(figureOf(aReport({ now, earlier: september({ leads: 4, visits: 10 }) }), 'Conversion')).toEqual({
      value: '20.0%',
      words: '20.0 points less',
      before: '40.0%',
      note: '3 leads came without a known visit.',
    })
    const unknown = { entryPages: [{ name: 'unknown', visits: 0, leads: 4 }] }
    const untold = { ...october({ leads: 4, visits: 5 }), channels: channelsOf(unknown) }
    expect(figureOf(aReport({ now: untold, earlier: september({ leads: 4, visits: 10 }) }), 'Conversion')).toEqual({
      value: '–',
      words: null,
      before: null,
      note: '4 leads came without a known visit.',
    })
  })

  test('compare with nothing when counting began within the time before', () => {
    const document = aReport({ earlier: { known: { first: '2026-09-02', last: '2026-11-22' } } })
    expect(figureOf(document, 'Visits')).toEqual({ value: '31', words: null, before: null, note: null })
    expect(reportView(document).headings.before).toBeNull()
  })

  test('count clicks only where links were clicked in either period', () => {
    const clicks = { clicks: { human: 0, suspected: 0, machine: 3 } }
    const labels = (now: object, earlier: object) =>
      reportView(aReport({ now: october(now), earlier: september(earlier) })).keyFigures.map(({ label }) => label)
    expect(labels({}, {})).toEqual(['Leads', 'Conversion', 'Visits', 'Visitors', 'Page views'])
    for (const shown of [labels(clicks, {}), labels({}, clicks)]) expect(shown.at(-1)).toBe('Human clicks')
  })

  test('stand beside those up to the same hour, but names and goals, known by the day, beside none', () => {
    const goals = [{ name: 'Sale', event: 'sale', visits: 2, times: 2, ofVisits: 9, conversion: 22.2, since: null }]
    const figures = { goals, pages: [{ slug: 'launch', views: 3 }] }
    const shown = (today: string) => {
      const view = reportView(aReport({ today, now: figures, earlier: figures }))
      return {
        visits: view.keyFigures[2]?.comparison === null,
        heading: view.headings.before,
        pages: view.lists.find(({ drawn }) => drawn === 'pages')?.headings,
        goal: view.goals[0]?.before,
      }
    }
    expect(shown('2026-10-31')).toEqual({ visits: false, heading: null, pages: ['Views'], goal: null })
    expect(shown('2026-11-01')).toEqual({
      visits: false,
      heading: 'September',
      pages: ['October', 'September'],
      goal: 2,
    })
  })
})

describe('the words of a report', () => {
  test('sum it up, with the best source, campaign and page', () => {
    const now = {
      ...october({ visits: 1530, leads: 42 }),
      sources: [
        { source: 'unknown', leads: 24 },
        { source: 'google', leads: 18 },
      ],
      campaigns: [
        { campaign: '(other)', leads: 12 },
        { campaign: 'kitchens', leads: 11 },
      ],
      pages: [{ slug: 'spring', views: 900 }],
    }
    const document = aReport({ now, earlier: september({ visits: 1360, leads: 45 }) })
    expect(reportView(document).summary).toBe(
      '1,530 visits, 13% more than in September, and 42 leads, 7% fewer. Best source: google with 18 leads. Best campaign: kitchens with 11 leads. Most viewed page: /spring with 900 views.',
    )
  })

  test('say plainly that there was nothing', () => {
    const known = { known: null, of: () => ({}) }
    const { summary, notes } = reportView(aReport({ now: known, earlier: known }))
    expect([summary, notes]).toEqual(['No visits and no leads.', ['Nothing has been counted yet.']])
  })

  test('say when counting began, that a period is not over, and what is not in the figures', () => {
    const known = { known: { first: '2026-10-05', last: '2026-10-10' } }
    const document = aReport({ today: '2026-10-10', now: known, earlier: known, waiting: 1 })
    expect(reportView(document).notes).toEqual([
      'Counted since 5 October 2026.',
      '10 October is not over yet.',
      '1 record is still being processed and not in these figures.',
    ])
  })

  test('say that a whole period is not compared because the one before is too young', () => {
    const known = { known: { first: '2026-09-05', last: '2026-11-10' } }
    expect(reportView(aReport({ now: known, earlier: known })).notes).toEqual([
      'Counted since 5 September 2026: there is no full earlier period to compare with.',
    ])
  })
})

describe('the lists of a report', () => {
  const list = (name: ListName, document: ReportDocument) =>
    reportView(document).lists.find(({ drawn }) => drawn === name)
  const pages = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ slug: `s${index}`, views: 50 - index }))

  test('show the first of many names and what the others come to', () => {
    const shown = list('pages', aReport({ now: { pages: pages(40) } }))
    expect(shown?.rows).toHaveLength(15)
    const others = pages(40).slice(15)
    expect(shown?.more).toMatchObject({ names: 25, figures: [others.reduce((sum, { views }) => sum + views, 0), null] })
    expect(list('pages', aReport({ now: { pages: pages(16) } }))?.more.names).toBe(0)
  })

  test('stand beside the same names of the time before', () => {
    const now = {
      forms: [
        { id: 'contact1', name: 'Contact', leads: 4, likelyDuplicates: 0 },
        { id: 'contact2', name: 'Contact', leads: 3, likelyDuplicates: 0 },
      ],
    }
    const earlier = { forms: [{ id: 'contact2', name: 'Contact', leads: 9, likelyDuplicates: 0 }] }
    expect(list('forms', aReport({ now, earlier }))?.rows.map(({ figures }) => figures)).toEqual([
      [4, 0],
      [3, 9],
    ])
  })

  test('show a stranger’s name as one line that reads in one direction', () => {
    const now = {
      channels: channelsOf({ sources: [{ name: 'a\r\nb\u202Egnp.exe\u0000' }, { name: 'constructor' }] }),
    }
    expect(reportView(aReport({ now })).channels[0]?.rows.map(({ name }) => name)).toEqual([
      'a\uFFFD\uFFFDb\uFFFDgnp.exe\uFFFD',
      'constructor',
    ])
  })

  test('count the views that no landing page has', () => {
    const now = { ...october({ views: 10 }), pages: [{ slug: 'spring', views: 7 }] }
    expect(list('pages', aReport({ now }))?.remarks).toEqual(['3 other page views: on other websites with the script.'])
  })
})

describe('the days of a report', () => {
  test.each([
    ['2026-10-01', '2026-11-01', 'day', 31],
    ['2026-08-01', '2026-10-02', 'day', 62],
    ['2026-08-01', '2026-10-03', 'week', 10],
    ['2025-10-15', '2026-11-20', 'month', 14],
  ])('from %s until %s are shown by %s, %i of them', (from, until, unit, count) => {
    const known = { known: { first: '2020-01-01', last: '2026-11-22' } }
    const { series } = reportView(aReport({ from, until, now: known }))
    expect([series.unit as string, series.points.length]).toEqual([unit, count])
    expect(series.points.reduce((sum, { visits }) => sum + visits, 0)).toBe(
      (Date.parse(until) - Date.parse(from)) / 86_400_000,
    )
  })

  test('begin with the first that was counted', () => {
    const known = { known: { first: '2026-10-20', last: '2026-10-31' } }
    expect(reportView(aReport({ now: known, earlier: known })).series.points.map(({ label }) => label)[0]).toBe(
      'Tue 20 Oct',
    )
  })

  test('are compared day by day with those of the period before', () => {
    const week = aReport({ from: '2026-10-12', until: '2026-10-19' })
    expect(reportView(week).seriesBefore?.points.map(({ label }) => label)[0]).toBe('Mon 5 Oct')
    expect(reportView(aReport({ from: '2026-08-01', until: '2026-10-03' })).seriesBefore).toBeNull()
  })

  const known = { known: { first: '2020-01-01', last: '2026-11-22' } }
  const partsOf = (wanted: Parameters<typeof aReport>[0]) =>
    reportView(aReport({ now: known, ...wanted })).series.points.flatMap(({ label, isPart }) => (isPart ? [label] : []))

  test.each([
    ['the day that is not over', '2026-10-01', '2026-11-01', '2026-10-10', ['Sat 10 Oct']],
    ['no day of a time that is over', '2026-10-01', '2026-11-01', '2026-11-01', []],
    [
      'weeks that begin before the period, or end behind it',
      '2026-08-01',
      '2026-10-03',
      '2026-11-22',
      ['1 Aug', '28 Sept'],
    ],
    ['months of which a part is shown', '2025-10-15', '2026-11-01', '2026-11-22', ['Oct 2025']],
  ])('are drawn as parts: %s', (_, from, until, today, labels) => {
    expect(partsOf({ from, until, today })).toEqual(labels)
  })
})
