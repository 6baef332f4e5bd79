import { describe, expect, test } from 'bun:test'
import { html } from '../../../src/lib/html.ts'
import { reportBody, reportPage } from '../../../src/report/document/page.ts'
import { reportView } from '../../../src/report/document/report-view.ts'
import { aReport, channelsOf } from './a-report.ts'

const pageOf = (document: ReturnType<typeof aReport>): string => reportPage(reportView(document))

const hostile = `</style><script>alert(1)</script>"'><img src=x onerror=alert(1)>`

describe('the page of a report', () => {
  test('makes no markup of names that strangers or operators chose', () => {
    const clicks = { human: 1, suspected: 0, machine: 0 }
    const page = pageOf(
      aReport({
        account: { name: hostile, timezone: hostile, language: null, colour: null },
        now: {
          channels: channelsOf({ sources: [{ name: hostile }], entryPages: [{ name: hostile }] }),
          pages: [{ slug: hostile, views: 2 }],
          forms: [{ id: 'contact1', name: hostile, leads: 2, likelyDuplicates: 1 }],
          messages: [{ message: hostile, ...clicks }],
        },
      }),
    )
    expect(page).not.toContain('<script')
    expect(page).not.toContain('<img')
    expect(page.match(/<\/style>/g)).toHaveLength(1)
  })

  test('shows the versions of a split page, each with its range, and the verdict', () => {
    const versions = [
      { name: 'a', visits: 1000, leads: 50, conversion: 5, low: 3.8, high: 6.5 },
      { name: 'b', visits: 0, leads: 0, conversion: null, low: null, high: null },
      { name: 'c', visits: 100, leads: 0, conversion: 0, low: 0, high: 3.7 },
    ]
    const pageWith = (variants: typeof versions) =>
      pageOf(aReport({ now: { splits: [{ page: 'launch', variants, verdict: 'no difference yet', since: null }] } }))
    const page = pageWith(versions)
    expect(page).toContain('<h2>Variants of /launch</h2>')
    expect(page).toContain('<td>50</td><td>1,000</td><td>5.0% <small class="quiet">3.8% to 6.5%</small></td>')
    expect(page).toContain('<td>0</td><td>0</td><td>too early to say</td>')
    expect(page).toContain('<td>0</td><td>100</td><td>0.0% <small class="quiet">0.0% to 3.7%</small></td>')
    expect(page).toContain('<p>Result: no difference yet.</p>')
  })

  test('tells of versions that cannot be compared yet to colleagues alone', () => {
    const variants = ['a', 'b'].map((name) => ({ name, visits: 5, leads: 0, conversion: 0, low: 0, high: 43.4 }))
    const splits = [{ page: 'launch', variants, verdict: 'no difference yet', since: null }]
    const report = aReport({ now: { splits } })
    expect(pageOf(report)).not.toContain('Variants of /launch')
    const seen = reportBody(reportView(report), { untold: html`Look at the forms.` }).text
    expect(seen).toContain('<h2>Variants of /launch</h2>')
    expect(seen).toContain('<p>Variant a: 5 visits, b: 5. Too few to compare.</p>')
  })

  test('says beside each figure how it changed, and once where there is nothing to compare with', () => {
    const changes = (document: ReturnType<typeof aReport>) =>
      Array.from(pageOf(document).matchAll(/<dd class="change">(?:<b>)?(.*?)</g), ([, words]) => words)
    const young = { known: { first: '2026-09-02', last: '2026-11-22' } }
    const first = aReport({ earlier: young, now: { of: () => ({}) } })
    expect(changes(first)).toEqual(['There were no visits.'])
    expect(pageOf(first)).toContain('there is no full earlier period to compare with.')
    expect(changes(aReport())).toContain('↑ 3% more')
  })

  test('begins with what limits the figures, and ends with what the words for them mean', () => {
    const sources = [{ name: 'google', visits: 1200, leads: 30, conversion: 2.5 }]
    const page = pageOf(aReport({ waiting: 1, now: { channels: channelsOf({ sources }) } }))
    expect(page).not.toContain('class="summary"')
    const parts = ['being processed', 'class="figures"', 'What works', 'class="charts"', 'class="days"', 'A visit is']
    const places = parts.map((part) => page.indexOf(part))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
  })

  test('says in place of figures that nothing came', () => {
    const nothing = { known: null, of: () => ({}) }
    expect(pageOf(aReport({ now: nothing, earlier: nothing }))).toContain('<p class="summary">No visits and no leads.')
  })

  test('has nothing of clicks and refusals where there were none', () => {
    const page = pageOf(aReport())
    expect(page).not.toContain('Human clicks')
    expect(page).not.toContain('What was kept out')
  })

  test('says below the leads how many messages are none, and to whoever may release them where they are', () => {
    const report = aReport({ now: { quarantined: 1 } })
    const below = (page: string) => /<h2>Leads by form<\/h2>.*?<\/section>/s.exec(page)?.[0]
    expect(below(pageOf(report))).toContain('<p class="quiet">1 message is held back. What seems to come from a bot')
    const seen = reportBody(reportView(report), { quarantine: '/a/acme?status=refused' }).text
    expect(below(seen)).toContain('1 message is held back. <a href="/a/acme?status=refused">Look at quarantine</a></p>')
  })

  test('says how many messages are none where nothing else was counted', () => {
    const held = aReport({ now: { known: null, of: () => ({}), quarantined: 1 } })
    expect(pageOf(held)).toContain('<p class="quiet">1 message is held back. What seems to come from a bot')
  })

  test('keeps figures of seven digits whole', () => {
    const million = reportView(aReport({ now: { of: () => ({ visits: 1_000_000 }) } }))
    expect(reportPage(million)).toContain('<dl class="figures long">')
    expect(pageOf(aReport())).toContain('<dl class="figures">')
  })

  test('says of each channel what it brought and how much of it paid, and of the rest what it comes to', () => {
    const sources = [
      { name: 'google', visits: 1200, leads: 30, conversion: 2.5 },
      { name: 'direct', visits: 0, leads: 2, conversion: null },
      ...Array.from({ length: 10 }, (_, place) => ({ name: `site-${place}.example`, visits: 3 })),
    ]
    const page = pageOf(aReport({ now: { channels: channelsOf({ sources }) } }))
    const [table = ''] = /<h2>What works<\/h2>[\s\S]*?<\/table>/.exec(page) ?? []
    expect(table).toMatch(/<bdi>google<\/bdi>.*<td>30<\/td><td>1,200<\/td><td>2\.5%<\/td>/)
    expect(table).toMatch(/<bdi>Direct<\/bdi>.*<td>2<\/td><td>0<\/td><td>–<\/td>/)
    expect(table).toMatch(/and 4 more sources<\/th><td>0<\/td><td>12<\/td>/)
  })

  test('lets no lead without a known visit into the conversion of a campaign or a device', () => {
    const rows = {
      entryPages: [
        { name: '/launch', visits: 5, leads: 1 },
        { name: 'unknown', visits: 0, leads: 4 },
      ],
      campaigns: [{ name: '(none)', visits: 5, leads: 5, conversion: 100 }],
      devices: [{ name: 'phone', visits: 5, leads: 5, conversion: 100 }],
    }
    const page = pageOf(aReport({ now: { channels: channelsOf(rows) } }))
    expect(page).toMatch(/<bdi>No campaign<\/bdi><\/th><td>1<\/td><td>5<\/td><td>20\.0%<\/td>/)
    expect(page).toMatch(/<bdi>Unknown<\/bdi>.*<td>4<\/td><td>0<\/td><td>–<\/td>/)
    expect(page).toMatch(/<bdi>Phone<\/bdi>.*<td>5<\/td><td>5<\/td><td>–<\/td>/)
  })

  test('tells no conversion of a channel where no lead has a known visit', () => {
    const entryPages = [
      { name: '/launch', visits: 5, leads: 0, conversion: 0 },
      { name: 'unknown', visits: 0, leads: 4 },
    ]
    const sources = [
      { name: 'direct', visits: 3, leads: 0, conversion: 0 },
      { name: 'google', visits: 2, leads: 0, conversion: 0 },
    ]
    const page = pageOf(aReport({ now: { channels: channelsOf({ entryPages, sources }) } }))
    expect(page).toMatch(/<bdi>Direct<\/bdi>.*<td>0<\/td><td>3<\/td><td>–<\/td>/)
    expect(page).not.toContain('By entry page')
    expect(page).toContain('4 leads came without a known visit.')
    expect(page).not.toContain('class="fold" open')
  })

  test('begins the channels with those that brought the most leads', () => {
    const sources = [
      { name: 'google', visits: 900, leads: 1 },
      { name: 'newsletter', visits: 20, leads: 8 },
    ]
    const page = pageOf(aReport({ now: { channels: channelsOf({ sources }) } }))
    expect(page.indexOf('<bdi>newsletter')).toBeLessThan(page.indexOf('<bdi>google'))
  })

  test('ends the campaigns with what none of them brought, without a bar', () => {
    const campaigns = [
      { name: '(none)', visits: 252, leads: 15 },
      { name: 'two-inks', visits: 62, leads: 8 },
    ]
    const page = pageOf(aReport({ now: { channels: channelsOf({ campaigns }) } }))
    expect(page).toMatch(
      /<bdi>two-inks<\/bdi><svg[^\n]*width="100"[^\n]*\n<tr class="rest"><th scope="row"><bdi>No campaign<\/bdi><\/th>/,
    )
  })

  test('loads nothing, runs nothing, and allows its own style sheet alone', () => {
    const page = pageOf(aReport())
    expect(page).not.toMatch(/\b(?:src|href|style|on[a-z]+)=/)
    expect(page).not.toMatch(/url\(|@import|https?:/)
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? []
    const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64')
    expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}';`)
  })

  test('has a row of its table for every bar of its charts', () => {
    const page = pageOf(aReport())
    const bars = page.match(/<title>\w+ \d+ \w+: 1 visit<\/title>/g) ?? []
    const rows = /<table class="days">[\s\S]*<\/table>/.exec(page)?.[0].match(/<th scope="row">/g) ?? []
    expect([bars.length, rows.length]).toEqual([31, 31])
  })

  test('says that it is an example', () => {
    expect(pageOf(aReport({ isExample: true }))).toContain('This is an example')
    expect(pageOf(aReport())).not.toContain('This is an example')
  })

  test('stays small whatever strangers sent', () => {
    const sources = Array.from({ length: 20_000 }, (_, index) => ({ name: `${index}`.repeat(20) }))
    const messages = sources.map(({ name }) => ({ message: name, human: 1, suspected: 1, machine: 1 }))
    const pages = sources.map(({ name }) => ({ slug: name, views: 1 }))
    const channels = channelsOf({ sources, campaigns: sources, entryPages: sources })
    expect(pageOf(aReport({ now: { channels, messages, pages } })).length).toBeLessThan(100_000)
  })
})
