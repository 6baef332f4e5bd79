import { expect, test } from 'bun:test'
import { reportLists } from '../../../src/report/document/lists.ts'
import { reportView } from '../../../src/report/document/report-view.ts'
import { listFile } from '../../../src/report/document/svg-files.ts'
import { aReport, channelsOf } from './a-report.ts'

type Figures = NonNullable<NonNullable<Parameters<typeof aReport>[0]>['now']>

function pictureOf(name: string, now: Figures, earlier: Figures = {}): string {
  const view = reportView(aReport({ now, earlier }))
  const list = reportLists(view).find(({ drawn }) => drawn === name)
  if (list === undefined) throw new Error(`The report draws no ${name}.`)
  return listFile(list, view)
}

const textsOf = (picture: string): string[] =>
  Array.from(picture.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, text = '']) => text)

test('a list is drawn with its headings, names, figures and what it leaves out', () => {
  const pages = Array.from({ length: 20 }, (_, place) => ({ slug: `page-${place}`, views: 20 - place }))
  const picture = pictureOf('pages', { pages }, { pages: [{ slug: 'page-0', views: 1234 }] })
  const texts = textsOf(picture)
  expect(texts.slice(0, 7)).toEqual([
    'Most viewed pages',
    'Acme Studio, October 2026',
    'October',
    'September',
    '/page-0',
    '20',
    '1,234',
  ])
  expect([texts.filter((text) => text.startsWith('/page-')).length, texts.at(-1)]).toEqual([15, 'and 5 more pages'])
})

test('channels are drawn with their visits, leads and conversion', () => {
  const sources = [
    { name: 'google', visits: 200, leads: 5, conversion: 2.5 },
    { name: 'direct', visits: 100, leads: 0, conversion: 0 },
  ]
  expect(textsOf(pictureOf('sources', { channels: channelsOf({ sources }) })).slice(2)).toEqual([
    'Visits',
    'Leads',
    'google (2.5%)',
    '200',
    '5',
    'Direct',
    '100',
    '0',
    'In brackets: leads per hundred visits.',
  ])
})

test('without a time before, a list is headed by what it counts', () => {
  const begun = { known: { first: '2026-10-02', last: '2026-11-22' } }
  const pages = pictureOf('pages', { pages: [{ slug: 'launch', views: 3 }] }, begun)
  expect(textsOf(pages).slice(2)).toEqual(['Views', '/launch', '3'])
})

test('the longest bar is that of the highest figure, and the others are in proportion', () => {
  const forms = [100, 25].map((leads, place) => ({
    id: `form${place}`,
    name: `Form ${place}`,
    leads,
    likelyDuplicates: 0,
  }))
  const [longest = 0, other = 0] = Array.from(
    pictureOf('forms', { forms }).matchAll(/<rect x="28" y="\d+" width="([\d.]+)"/g),
    ([, width]) => Number(width),
  )
  expect(other / longest).toBeCloseTo(0.25, 2)
})

test('clicks of people, machines and those not sure stand side by side', () => {
  const messages = [{ message: 'Spring letter', human: 7, suspected: 5, machine: 3 }]
  const [, , ...texts] = textsOf(pictureOf('messages', { messages }))
  expect(texts).toEqual(['Human', 'Suspected', 'Machine', 'Spring letter', '7', '5', '3'])
})

test('every funnel has a picture of its own', () => {
  const funnel = {
    conversion: 50,
    ofVisits: 4,
    since: null,
    steps: [
      { page: '/offer', visits: 4 },
      { event: 'sent', visits: 2 },
    ],
  }
  const funnels = ['First', 'Second'].map((name) => ({ ...funnel, name }))
  expect(textsOf(pictureOf('funnel-2', { funnels }))[0]).toBe('Second')
})

test('a stranger’s name neither makes markup nor holds a character that XML forbids', () => {
  const picture = pictureOf('sources', {
    channels: channelsOf({ sources: [{ name: '</text><script>alert(1)</script>\uFFFE\uFFFF' }] }),
  })
  expect(picture).not.toContain('<script')
  expect(picture).not.toMatch(/[\uFFFE\uFFFF]/)
})
