import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { visit } from '../harness/visits.ts'

let box: Box
let owner: ConsoleVisitor
let client: ConsoleVisitor
const today = new Date().toISOString().slice(0, 10)

beforeAll(async () => {
  box = await Box.start([aSite({ brand: { colour: '#c2410c' }, files: { 'pages/offer.html': '<p>Offer</p>' } })], {
    console: { listen: '127.0.0.1:0' },
  })
  owner = await ConsoleVisitor.owner(box)
  client = new ConsoleVisitor(box)
  await client.accept(
    await ConsoleVisitor.invite(box, ['client@acme.example', '--account', 'acme', '--role', 'client']),
  )
  await box.send(visit('/offer'))
  submissionIdOf(await box.send(formRequest({ fields: { email: 'ada@example.test', name: 'Ada' } })))
  // Processes what waits; the page shows what is processed.
  await box.run(['report', 'acme'])
  countEarlier()
}, boxStartMsMax)
afterAll(() => box.stop())

/** A view from before, so that there is something to draw. */
function countEarlier() {
  const database = new Database(join(box.dir, 'data/capture.db'))
  const day = Math.floor(Date.now() / 86_400_000) - 5
  database.run(
    "INSERT INTO day_figure (account_row, day, measure, name, count) SELECT row, ?, 'view', '', 1 FROM account",
    [day],
  )
  database.close()
}

const namesIn = (links: string[], pattern: RegExp): string[] =>
  links.flatMap((link) => pattern.exec(link)?.slice(1) ?? [])

const page = (query = '', visitor = owner) => visitor.get(`/a/acme/report${query}`)

describe('the report page', () => {
  test('shows the figures of the last 30 days under the account’s name', async () => {
    const { status, text } = await page()
    expect(status).toBe(200)
    expect(text).toContain('The acme studio')
    expect(text).toContain('<dt>Visits</dt><dd class="value">1</dd>')
    expect(text).not.toContain('ada@example.test')
  })

  test.each([
    ['?period=7d', 'aria-current="page">7 days'],
    ['?period=month', 'aria-current="page">This month'],
    ['?period=last-month', 'aria-current="page">Last month'],
    [`?from=${today}&to=${today}`, `name="to" type="date" required value="${today}"`],
    ['?from=2026-02-30&to=2026-03-01', 'Choose a first and a last day.'],
    ['?from=2026-03-02&to=2026-03-01', 'The last day is before the first.'],
    ['?from=2999-01-01&to=2999-01-02', 'in the future'],
    ['?from=0001-01-01', 'Choose a first and a last day.'],
    ['?period=nonsense', 'aria-current="page">30 days'],
  ])('shows the days of %s', async (query, shown) => {
    const { status, text } = await page(query)
    expect([status, text.includes(shown)]).toEqual([200, true])
  })

  test('asks for days only behind its own tab, which begins with those that are shown', async () => {
    const { text } = await page('?period=last-month')
    expect(text).not.toContain('type="date"')
    const [, custom = ''] = /href="([^"]+)">Custom</.exec(text) ?? []
    const chosen = await owner.get(custom.replaceAll('&amp;', '&'))
    expect(chosen.text).toContain('aria-current="page">Custom')
    const [, from = ''] = /from=([\d-]+)/.exec(custom) ?? []
    expect(chosen.text).toContain(`name="from" type="date" required value="${from}"`)
  })

  test('leads to the CSV of each table and to a picture of each chart and list', async () => {
    const { text } = await page('?period=7d')
    const [, menu = ''] = /<ul id="files"[^>]*>(.*?)<\/ul>/s.exec(text) ?? []
    const links = Array.from(menu.matchAll(/<a href="([^"]+)"/g), ([, link = '']) => link.replaceAll('&amp;', '&'))
    const divisions = ['sources', 'campaigns', 'mediums', 'entryPages', 'devices']
    expect(namesIn(links, /table=(\w+)/)).toEqual(['days', 'channels', 'forms', 'pages'])
    expect(namesIn(links, /chart\/(\w+)/)).toEqual(['visits', 'leads', ...divisions, 'forms', 'pages'])
    for (const link of links) {
      const { status, headers } = await owner.get(link)
      expect([link, status, headers.get('content-disposition')?.slice(0, 11)]).toEqual([link, 200, 'attachment;'])
    }
  })

  test('says beside the conversion that no source is known, and tells colleagues alone what they can do', async () => {
    const advice = 'Usually the page with their form lacks the script. <a href="/a/acme/forms">Get the script</a>'
    const shown = await Promise.all([owner, client].map((reader) => page('?period=7d', reader)))
    expect(shown.map(({ text }) => text.includes('without a known visit'))).toEqual([true, true])
    expect(shown.map(({ text }) => text.includes(advice))).toEqual([true, false])
    const plain = '<h2>What works</h2><p class="quiet">We cannot tell yet where these leads came from. Your agency '
    expect(shown.map(({ text }) => text.includes(plain))).toEqual([false, true])
  })

  test('is shown to clients, who can share nothing', async () => {
    const { status, text } = await page('?share', client)
    expect([status, /Share this report|&amp;share/.test(text)]).toEqual([200, false])
    expect((await client.send('POST', '/a/acme/report', { days: '30' })).status).toBe(403)
  })
})

test('a picture of a chart is an SVG file that stands alone', async () => {
  const { text, headers } = await owner.get('/a/acme/report/chart/visits?period=7d')
  expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(text).toStartWith(
    '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" lang="en" role="img"',
  )
  expect(text).toContain('<title id="title">The acme studio: Visits by day, ')
  expect(text).toContain('fill="#c2410c"')
  expect((await owner.get('/a/acme/report/chart/persons')).status).toBe(404)
})

test('a picture of a list is an SVG file with its names and figures', async () => {
  const { text, headers } = await client.get('/a/acme/report/chart/pages?period=7d')
  expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="acme-pages-\d{4}-\d\d-\d\d\.svg"$/)
  expect(text).toContain('<title id="title">The acme studio: Most viewed pages, ')
  expect(text).toMatch(/<text y="18">\/offer<\/text>.*<text [^>]*text-anchor="end">1<\/text>/s)
  expect(text).toContain('fill="#c2410c"')
})

test('there is no picture of an empty list', async () => {
  expect((await owner.get('/a/acme/report/chart/messages?period=7d')).status).toBe(404)
})

test('whoever may publish shares the report and ends the link on the page, and the audit log says so', async () => {
  expect((await owner.send('POST', '/a/acme/report?period=7d', { days: '9' })).headers.get('location')).toBe(
    '/a/acme/report?period=7d&share',
  )
  const plain = await page('?period=7d')
  expect(plain.text).toContain('<a href="?period=7d&amp;share">Share</a>')
  expect(plain.text).not.toContain('Share this report')
  const { text } = await page('?period=7d&share')
  expect(text).toMatch(/Shows the last 7 days\. Works until <time [^>]*>[^<]+<\/time>\.</)
  const [, path = ''] = /http:\/\/localhost:\d+(\/r\/[\w.-]+)/.exec(text) ?? []
  const shown = await new ConsoleVisitor(box).get(path, { 'sec-fetch-site': 'none' })
  expect([shown.status, shown.text.includes('<dt>Visits</dt><dd class="value">1</dd>')]).toEqual([200, true])
  const [, id = ''] = /name="revoke" value="([0-9a-f]+)"/.exec(text) ?? []
  await owner.send('POST', '/a/acme/report', { revoke: id })
  expect((await new ConsoleVisitor(box).get(path)).status).toBe(404)
  const { items } = JSON.parse((await owner.get('/api/v1/audit?q=report.')).text)
  expect(items.map(({ action }: { action: string }) => action)).toEqual(['report.unshare', 'report.share'])
})

test.each([
  ['30d', undefined, 'the last 30 days'],
  ['2026-09-01', '2026-09-16', '1–15 September 2026'],
  ['2026-09-01', '2026-10-01', 'September 2026'],
  ['2026-09-02', '2026-09-03', 'Wednesday, 2 September 2026'],
  ['2026-09-02', undefined, 'all days since Wednesday, 2 September 2026'],
  [undefined, '2026-10-01', 'September 2026'],
])('a link since %p until %p says that it shows %s', async (since, until, days) => {
  const { text } = await owner.sendJson('POST', '/api/v1/accounts/acme/report/share', { since, until })
  expect((await page('?share=1')).text).toContain(`Shows ${days}. Works until `)
  await owner.send('POST', '/a/acme/report', { revoke: JSON.parse(text).id })
})
