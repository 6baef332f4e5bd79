// A report's page as its readers meet it, on a phone and on a desk, by day and by night: no fault by axe-core's rules.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { reportLetter } from '../../src/report/document/letter.ts'
import { reportPage } from '../../src/report/document/page.ts'
import type { ReportDocument } from '../../src/report/document/report-document.ts'
import { reportView } from '../../src/report/document/report-view.ts'
import { aReport, channelsOf } from '../report/document/a-report.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'
import { faultsInAllLooks, isTooWide } from './harness/looks.ts'

const names = [
  'google',
  'a'.repeat(100),
  '<b>bold</b>',
  '🦆',
  'مرحبا بالعالم',
  'a name of several words that goes on and on',
]
const clicks = { human: 120_000, suspected: 4000, machine: 800_000 }
const channels = [...names, ...Array.from({ length: 40 }, (_, index) => `s${index}`)].map((name) => ({
  name,
  visits: 1_234_567,
  leads: 98_765,
  conversion: 8,
}))
const full = {
  of: (day: number) => ({ visits: day % 7, visitors: day % 6, views: 1_234_567, leads: day % 3, clicks }),
  channels: channelsOf({ sources: channels, mediums: channels, campaigns: channels, entryPages: channels }),
  pages: names.map((slug) => ({ slug, views: 1_234_567 })),
  forms: names.map((name, index) => ({ id: `form${index}`, name, leads: 3, likelyDuplicates: 1 })),
  messages: names.map((message) => ({ message, ...clicks })),
  quarantined: 3,
}
const refusals = [{ count: 41, reason: 'tooMuchAsked' as const }]
const inGerman = { account: { name: 'Acme Studio', timezone: 'Europe/Berlin', language: 'de' as const, colour: null } }

describe.skipIf(!hasChromium)('the page of a report, for whoever cannot see it or sees it otherwise,', () => {
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'capture-report-page-'))
    browser = await sharedChromium()
  })
  afterAll(async () => {
    await closeContexts()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = (name: string, document: ReportDocument) => {
    const file = join(folder, `${name}.html`)
    writeFileSync(file, reportPage(reportView(document)))
    return async (options: Parameters<Browser['newContext']>[0]) => {
      // The page's policy runs no script, axe-core's neither.
      const page = await (await browser.newContext({ ...options, bypassCSP: true })).newPage()
      await page.goto(`file://${file}`)
      return page
    }
  }

  test.each<[string, ReportDocument]>([
    ['a full month', aReport({ now: full, earlier: full, refusals, waiting: 3 })],
    ['a full month, in German', aReport({ ...inGerman, now: full, earlier: full, refusals, waiting: 3 })],
    ['a week beside the one before', aReport({ from: '2026-10-12', until: '2026-10-19', now: full, earlier: full })],
    ['a day', aReport({ from: '2026-10-12', until: '2026-10-13', now: full })],
    ['400 days', aReport({ from: '2025-10-01', until: '2026-11-05', now: full })],
    ['nothing', aReport({ now: { known: null, of: () => ({}) }, earlier: { known: null, of: () => ({}) } })],
  ])('of %s', async (name, document) => {
    document.account.colour = '#ffee00'
    expect(await faultsInAllLooks(`report-${name}`, open(name, document))).toEqual([])
  })

  test('loads nothing, and its policy lets its style sheet work', async () => {
    const page = await (await browser.newContext()).newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    const file = join(folder, 'strict.html')
    writeFileSync(file, reportPage(reportView(aReport({ now: full }))))
    await page.goto(`file://${file}`)
    expect({ asked, complaints }).toEqual({ asked: [`file://${file}`], complaints: [] })
    expect(await page.locator('header').evaluate((header) => getComputedStyle(header).borderTopColor)).toBe(
      'rgb(179, 38, 30)',
    )
  })

  test.each(['A4', 'Letter'])('fits on %s paper, in its light colours', async (format) => {
    const reach = open(`paper ${format}`, aReport({ now: full, earlier: full, refusals }))
    const page = await reach({ colorScheme: 'dark', viewport: { width: format === 'A4' ? 680 : 703, height: 900 } })
    await page.emulateMedia({ media: 'print' })
    expect(await isTooWide(page)).toBe(false)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
    expect((await page.pdf({ format })).length).toBeGreaterThan(1000)
  })

  test.each([
    [390, 'English', {}],
    [390, 'German', inGerman],
    [700, 'English', {}],
  ])('its mail fits in %i pixels in %s, with its pictures', async (width, _, language) => {
    const { html, pictures } = reportLetter(reportView(aReport({ ...language, now: full, earlier: full, refusals })))
    const page = await (
      await browser.newContext({ viewport: { width, height: 800 }, isMobile: width === 390 })
    ).newPage()
    const shown = pictures.reduce(
      (html, { cid, content }) => html.replace(`cid:${cid}`, `data:image/png;base64,${content}`),
      html,
    )
    await page.setContent(shown)
    expect(await isTooWide(page)).toBe(false)
    const widths = await page
      .locator('img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
    expect(widths).toEqual([1104, 1104])
  })
})
