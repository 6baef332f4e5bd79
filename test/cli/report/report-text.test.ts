import { describe, expect, test } from 'bun:test'
import { plain, styleFor } from '../../../src/cli/output/style.ts'
import { widthOf } from '../../../src/cli/output/table.ts'
import { reportHints, reportText } from '../../../src/cli/report/report-text.ts'
import type { DailyFigures, FiguresReport } from '../../../src/report/figures.ts'
import { channelsOf } from '../../report/document/a-report.ts'
import { noFigures } from '../no-figures.ts'

const figures = (overrides: Partial<DailyFigures> = {}): DailyFigures => ({ ...noFigures, ...overrides })

const days = (count: number, overrides: (index: number) => Partial<DailyFigures> = () => ({})): FiguresReport['days'] =>
  Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.UTC(2026, 10, 1 + index)).toISOString().slice(0, 10),
    ...figures(overrides(index)),
  }))

/** Two days with a visit each. */
const report = (overrides: Partial<FiguresReport> = {}): FiguresReport => ({
  from: '2026-11-01',
  to: '2026-11-02',
  totals: figures({ visits: 2, visitors: 1, views: 1204 }),
  days: days(2, () => ({ visits: 1 })),
  forms: [],
  sources: [],
  channels: channelsOf(),
  campaigns: [],
  pages: [],
  messages: [],
  goals: [],
  funnels: [],
  splits: [],
  refusals: [],
  missing: [],
  quarantined: 0,
  known: { first: '2026-11-01', last: '2026-11-02' },
  ...overrides,
})

const account = { handle: 'acme', name: 'Acme Studio', timezone: 'UTC' }
const textOf = (shown: FiguresReport, waiting = 0) => reportText(shown, { account, waiting }, { style: plain })
/** A table's row, cell by cell. */
const cells = (line: string | undefined): string[] => (line ?? '').trim().split(/ {2,}/)

describe('the text of a report', () => {
  test('begins with whose, when and where, and a row of totals', () => {
    const [heading, empty, headers, totals] = textOf(report()).split('\n')
    expect([heading, empty]).toEqual(['Acme Studio (acme), 2026-11-01 to 2026-11-02, days in UTC', ''])
    expect(cells(headers)).toEqual(['Visits', 'Visitors', 'Views', 'Leads', 'Human clicks'])
    expect(cells(totals)).toEqual(['2', '1', '1,204', '0', '0'])
  })

  test('leaves one line empty between its parts, also where every total is all there is', () => {
    expect(textOf(report())).not.toContain('\n\n\n')
  })

  test('says of every total what is not in it', () => {
    const totals = figures({
      views: 10,
      viewsByBots: 388,
      leads: 5,
      likelyDuplicates: 1,
      clicks: { human: 3, suspected: 31, machine: 1400 },
    })
    const asides = textOf(report({ totals, quarantined: 2 })).split('\n')[4]
    expect(cells(asides)).toEqual([
      'and 388 by bots',
      'and 1 likely duplicate',
      'and 31 suspected, and 1,400 by machines',
      '2 in quarantine',
    ])
  })

  test('draws a bar for each day, as long as its visits', () => {
    const visits = [0, 1, 50, 100]
    const lines = textOf(report({ days: days(4, (index) => ({ visits: visits[index] ?? 0 })) })).split('\n')
    const bars = lines.filter((line) => / Nov /.test(line)).map((line) => line.match(/#+/)?.[0].length ?? 0)
    expect(bars).toEqual([0, 1, 6, 12])
    expect(lines.find((line) => line.startsWith('Sun 01 Nov'))).toBeDefined()
  })

  test('draws leads where nobody visits', () => {
    const text = textOf(report({ totals: figures({ leads: 2 }), days: days(2, () => ({ leads: 1 })) }))
    expect(text).toContain('(bars: leads)')
    expect(text).toMatch(/Sun 01 Nov +############ /)
  })

  test('shows more days than fit on a screen by month, without visitors, whom days do not add up to', () => {
    const text = textOf(report({ days: days(63, () => ({ visits: 1, visitors: 1 })) }))
    const lines = text.split('\n')
    expect(cells(lines.find((line) => line.startsWith('2026-11')))).toEqual(['2026-11', '############', '30', '0', '0'])
    expect(cells(lines.find((line) => line.startsWith('2027-01')))).toEqual(['2027-01', '#', '2', '0', '0'])
    expect(cells(lines.find((line) => line.startsWith('Month  ')))).toEqual(['Month', 'Visits', 'Views', 'Leads'])
  })

  test('shows what strangers have named as text, and not all of it', () => {
    const sources = Array.from({ length: 35 }, (_, index) => ({ name: `\u001b[31msource ${index}` }))
    const text = textOf(report({ channels: channelsOf({ sources }) }))
    expect(text).not.toContain('\u001b')
    expect(text).toContain('\\u001b[31msource 19')
    expect(text).not.toContain('source 20')
    expect(text).toContain('and 15 more rows: --json has them all')
  })

  test('says that page views were lost, and apart from it why', () => {
    const shown = report({ totals: figures({ lostPageViews: 3, visits: 1 }) })
    expect(textOf(shown)).toContain('3 page views could not be stored and are in no figure.')
    expect(reportHints(shown, { handle: 'acme', fromAt: Date.UTC(2026, 9, 31, 23) }).join()).toContain('capture doctor')
  })

  test('of a time without anything says when there was something', () => {
    const known = { first: '2025-03-01', last: '2025-06-01' }
    const text = textOf(report({ totals: figures(), days: days(2), known }))
    expect(text).toContain('Nothing came in from 2026-11-01')
    expect(text).toContain('capture report acme --since 2025-03-01')
  })

  test('of a time without anything, while records wait, says only that they do', () => {
    const known = { first: '2025-03-01', last: '2025-06-01' }
    for (const shown of [report({ totals: figures(), known }), report({ totals: figures(), days: [], known: null })]) {
      const text = textOf(shown, 4321)
      expect(text).toContain('Nothing is known yet: 4,321 records of this box still wait to be processed.')
      expect(text).not.toMatch(/Nothing (?:came|has come) in/)
    }
  })

  test('says above the figures that some records are not in them yet', () => {
    const lines = textOf(report(), 4321).split('\n')
    expect(lines[2]).toBe(
      'Not all is in these figures: 4,321 records of this box still wait to be processed. Run it again.',
    )
    expect(cells(lines[4])[0]).toBe('Visits')
    expect(textOf(report(), 1)).toContain('1 record of this box still waits')
    expect(textOf(report())).not.toContain('Not all')
  })

  describe('on a terminal', () => {
    const everything = report({
      totals: figures({
        visits: 1_204_000,
        visitors: 1_100_000,
        views: 2_000_000,
        viewsByBots: 388_000,
        events: 5000,
        eventsByBots: 20,
        leads: 4000,
        likelyDuplicates: 300,
        clicks: { human: 900_000, suspected: 887_171, machine: 895_072 },
        refused: 2000,
      }),
      days: days(2, (index) => ({
        visits: 600_000 - index,
        viewsByBots: 3,
        events: 4,
        clicks: { human: 5, suspected: 6, machine: 7 },
        refused: 8,
      })),
      forms: [{ id: 'contact1', name: 'The form below every article of the magazine', leads: 1, likelyDuplicates: 2 }],
      channels: channelsOf({ sources: [{ name: 'https://a-very-long-name.of-some-website.example/and-its-path' }] }),
      messages: [{ message: 'the-newsletter-of-november-2026-second-part', human: 1, suspected: 2, machine: 3 }],
      refusals: [{ endpoint: 'form', check: 'bot_check', count: 2000 }],
    })
    const shownOn = (columns: number | undefined): string =>
      reportText(
        everything,
        { account, waiting: 0 },
        { style: styleFor({ isTerminal: columns !== undefined }, {}), columns },
      )
    const bare = (text: string): string => Bun.stripANSI(text)

    test('of 60 columns no line is broken, and no number and no id is cut', () => {
      const text = bare(shownOn(60))
      // The heading is a sentence, and read as one.
      expect(widthOf(text.split('\n').slice(1).join('\n'))).toBeLessThanOrEqual(60)
      for (const kept of ['1,204,000', 'and 887,171 suspected', 'and 895,072 by machines', 'contact1', 'bot_check'])
        expect(text).toContain(kept)
      expect(text).toMatch(/The form below every +contact1 +1 +2\narticle of the magazine\n/)
    })

    test('of 60 columns the days say which figures there is no room for', () => {
      const text = bare(shownOn(60))
      expect(text).toMatch(/Day +Visits +Visitors +Views +Events +Leads +Clicks\n/)
      expect(text).toContain('No room for: By bots, Not human, Refused\n')
      expect(text).not.toContain('###')
    })

    test('of 96 columns there is room for a shorter bar, and for every figure', () => {
      expect(bare(shownOn(96))).toMatch(/Sun 01 Nov +###### .* 8\n/)
      expect(bare(shownOn(96))).not.toContain('No room')
    })

    test('wide enough, or where there is none, it is whole', () => {
      expect(bare(shownOn(200))).toBe(shownOn(undefined))
      expect(shownOn(undefined)).toContain('############')
    })
  })

  test('is that of a customer: no advice to whoever runs the box stands in it', () => {
    const shown = report({ totals: figures({ refused: 3, visits: 1 }), quarantined: 2 })
    expect(textOf(shown)).not.toContain('capture ')
    const hints = reportHints(shown, { handle: 'acme', fromAt: Date.UTC(2026, 9, 31, 23) }).join('\n')
    expect(hints).toContain('capture submission list acme --refused')
    expect(hints).toContain('capture refusals acme --since 2026-10-31T23:00:00Z\n')
  })
})
