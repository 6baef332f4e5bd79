// A report speaks the language of its account (docs/languages.md).
import { describe, expect, test } from 'bun:test'
import type { Language } from '../../../src/language/language.ts'
import { languages } from '../../../src/language/languages.ts'
import { reportLetter } from '../../../src/report/document/letter.ts'
import { reportPage } from '../../../src/report/document/page.ts'
import { reportView } from '../../../src/report/document/report-view.ts'
import { aReport, channelsOf } from './a-report.ts'

const figures = {
  of: (day: number) => ({ visits: 50, views: 22, leads: day % 2, clicks: { human: 0, suspected: 0, machine: 1 } }),
  sources: [
    { source: 'direct', leads: 3 },
    { source: 'google', leads: 2 },
  ],
  channels: channelsOf({
    sources: [
      { name: 'direct', visits: 900, leads: 3, conversion: 0.3 },
      ...Array.from({ length: 24 }, (_, at) => ({ name: `s${at}` })),
    ],
    devices: [{ name: 'phone', visits: 1550 }],
  }),
  forms: [{ id: 'contact1', name: null, leads: 16, likelyDuplicates: 2 }],
  pages: [{ slug: 'spring', views: 5 }],
  messages: [{ message: null, human: 3, suspected: 1, machine: 9 }],
  goals: [{ name: 'Call', page: '/call', visits: 3, times: 4, ofVisits: 9, conversion: 33.3, since: '2026-10-03' }],
  funnels: [{ name: 'Buy', ofVisits: 9, since: null, conversion: 50, steps: [{ event: 'a', visits: 4 }] }],
  splits: [
    {
      page: 'spring',
      verdict: '',
      since: null,
      variants: [
        { name: 'a', visits: 1000, leads: 20, conversion: 2, low: 1.3, high: 3.1 },
        { name: 'b', visits: 1000, leads: 90, conversion: 9, low: 7.4, high: 10.9 },
      ],
    },
  ],
  missing: [{ path: '/old', count: 9 }],
  quarantined: 5,
}
const reportIn = (language: Language | null) =>
  aReport({
    account: { name: 'Acme Studio', timezone: 'Europe/Berlin', language, colour: null },
    now: figures,
    earlier: { of: () => ({ visits: 40, leads: 1 }) },
    refusals: [{ count: 22, reason: 'size' }],
    waiting: 2,
    isExample: true,
  })

describe('the report of an account', () => {
  test('in German has German words, numbers and dates', () => {
    const view = reportView(reportIn('de'))
    expect(view.title).toBe('Oktober 2026')
    expect(view.summary).toBe(
      '1.550 Besuche (29 % mehr als im September) und 16 Anfragen (47 % weniger). Beste Quelle: google mit 2 Anfragen. Meistgesehene Seite: /spring (5 Aufrufe).'.replaceAll(
        ' %',
        '\u00a0%',
      ),
    )
    expect(view.keyFigures.map(({ label }) => label)).toContain('Klicks von Menschen')
    expect(view.keyFigures.map(({ value }) => value)).toContain('1,0\u00a0%')
    expect(view.splits[0]?.verdict).toBe(
      'Ergebnis: b ist besser als a (von 100 Besuchen bringen 5,1 bis 9,1 mehr eine Anfrage).',
    )
  })

  test('in German has its channels, with names of Capture’s own in German', () => {
    const [sources, devices] = reportView(reportIn('de')).channels
    expect(sources).toMatchObject({ title: 'Was wirkt, nach Quelle', by: 'Nach Quelle', heading: 'Quelle' })
    expect(sources?.rows[0]).toMatchObject({ name: 'Direkt', conversion: 0.3 })
    expect(devices?.rows.map(({ name }) => name)).toEqual(['Smartphone'])
  })

  test('in German names the part of a period that has begun', () => {
    const begun = { ...reportIn('de'), ...aReport({ today: '2026-10-12' }) }
    const view = reportView({ ...begun, account: reportIn('de').account })
    expect(view.notes).toEqual([
      'Der 12. Oktober ist noch nicht zu Ende. Diese Zahlen werden mit denen im Zeitraum 1.–12. September verglichen; vom letzten Tag zählen nur dieselben Stunden.',
    ])
    expect(reportPage(view)).toContain('<small class="quiet">Teil</small>')
  })

  test.each([
    ['de', '[Beispiel] Acme Studio: Oktober 2026, 16 Anfragen', 'Direkt (0,3\u00a0%)', 'und 17 weitere Quellen'],
    ['pl', '[Przykład] Acme Studio: Październik 2026, 16 zapytań', 'Bezpośrednio (0,3%)', 'i jeszcze 17 źródeł'],
  ] as const)('comes by mail in "%s"', (language, subject, row, more) => {
    const letter = reportLetter(reportView(reportIn(language)))
    expect(letter.subject).toBe(subject)
    for (const part of [letter.text, letter.html]) {
      expect(part).toContain(row)
      expect(part).toContain(more)
    }
  })

  test('in Polish has the plural that each number needs', () => {
    const { summary, notes, refusals, lists } = reportView(reportIn('pl'))
    expect(summary).toStartWith('1550 wizyt (o 29% więcej niż we wrześniu) i 16 zapytań (o 47% mniej).')
    expect(notes.at(-1)).toBe('2 rekordy są jeszcze przetwarzane i nie ma ich w tych liczbach.')
    expect(refusals[0]?.times).toEndWith(': 22 razy.')
    expect(lists.find(({ drawn }) => drawn === 'pages')?.remarks).toEqual([
      '677 innych odsłon: w innych witrynach ze skryptem.',
    ])
  })

  test.each(languages)('in "%s" says so, and leaves no gap open', (language) => {
    const view = reportView(reportIn(language))
    const page = reportPage(view)
    const { subject, text, html } = reportLetter(view)
    for (const document of [page, html]) expect(document).toContain(`<html lang="${language}">`)
    for (const shown of [
      page.replace(/<style>[\s\S]*<\/style>/, ''),
      html.replace(/<style>[\s\S]*<\/style>/, ''),
      text,
    ])
      expect(shown.match(/\{\w+\}|undefined|\bnull\b/g)).toBeNull()
    expect(subject).toContain('Acme Studio')
  })

  test('without a language is in English', () => {
    expect(reportView(reportIn(null)).keyFigures[0]?.label).toBe('Leads')
  })
})
