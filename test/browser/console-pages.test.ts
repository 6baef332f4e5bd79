// A page's way through the console in a browser: under its own policy, by the keyboard, and without its script.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { ownPort } from '../harness/loopback.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'

describe.skipIf(!hasChromium)('in a browser', () => {
  let browser: Browser
  let box: Box
  let owner: ConsoleVisitor
  const site = (text: string) =>
    aSite({
      domains: ['go.acme.localhost'],
      forms: [aForm(), aForm({ id: 'callback' })],
      files: { 'pages/launch.html': `<!doctype html><h1>${text}</h1>` },
    })

  beforeAll(async () => {
    const listen = `127.0.0.1:${ownPort()}`
    box = await Box.start([site('One')], { server: { listen }, console: { listen: '127.0.0.1:0' } })
    await box.apply(site('Two'))
    owner = await ConsoleVisitor.owner(box)
    browser = await sharedChromium()
  })
  afterAll(async () => {
    await closeContexts()
    await box?.stop()
  })

  async function open(
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const url = `http://localhost:${box.consolePort}`
    const [name = '', value = ''] = owner.cookie.split('=')
    const context = await browser.newContext(options)
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url + path)
    return { page, complaints }
  }

  const shows = (text: string, status = 200) =>
    eventually(`visitors are answered ${status} ${text}`, async () => {
      const answer = await box.send({
        method: 'GET',
        host: 'go.acme.localhost',
        path: '/launch',
        headers: {},
        body: null,
      })
      return answer.status === status && answer.text.includes(text)
    })

  const versions = (page: Page) => page.locator('.versions li strong').allTextContents()

  test('a version is rolled back by the keyboard, and the history begins with it', async () => {
    const { page, complaints } = await open('/a/acme/pages/launch')
    expect(await versions(page)).toEqual(['Version 2', 'Version 1'])
    await page.getByRole('button', { name: 'Roll back to this (version 1)' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('strong', { hasText: 'Version 3' }).waitFor()
    expect(await versions(page)).toEqual(['Version 3', 'Version 2', 'Version 1'])
    expect(await page.locator('.versions li').first().textContent()).toContain('current')
    await shows('One')
    expect(complaints).toEqual([])
  })

  test('paper has neither buttons nor forms', async () => {
    const { page } = await open('/a/acme/settings')
    await page.emulateMedia({ media: 'print' })
    const download = page.getByText('Download the folder')
    expect([await download.count(), await download.isVisible()]).toEqual([1, false])
    await page.goto(new URL('/a/acme/pages/launch', page.url()).href)
    expect(await page.locator('main form:visible').count()).toBe(0)
  })

  test('a page is taken back and published again without a script', async () => {
    const { page } = await open('/a/acme/pages/launch', { javaScriptEnabled: false })
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Move back to preview' }).click()
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    await shows('', 404)
    expect(await page.locator('.lead').textContent()).toMatch(/They last saw version \d, published /)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('link', { name: 'Open page' }).waitFor()
    await shows('<h1>')
  })

  test('a link is signed, copied and followed', async () => {
    const { page, complaints } = await open('/a/acme/links', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.fill('#links', `http://go.acme.localhost:${box.port}/launch`)
    await page.fill('#message', 'news')
    await page.getByRole('button', { name: 'Make click links' }).click()
    await page.click('[data-copy="signed"]')
    await page.locator('[data-copy="signed"]', { hasText: 'Copied' }).waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toContain('/_svc/c/')
    await page.goto(link)
    expect([new URL(page.url()).pathname, await page.locator('h1').count()]).toEqual(['/launch', 1])
    expect(complaints.filter((complaint) => !complaint.includes('favicon'))).toEqual([])
  })

  test('on a phone, the values of a table’s row stand beneath each other, its figures side by side, and acts look as on a desk', async () => {
    const { page } = await open('/a/acme/forms', { viewport: { width: 390, height: 844 } })
    const lines = await page
      .locator('tbody tr:first-child .number')
      .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().bottom)))
    expect([lines.length, new Set(lines).size]).toEqual([2, 1])
    await page.goto(new URL('/me', page.url()).href)
    const starts = await page.locator('td[data-label]').evaluateAll((cells) =>
      cells.map((cell) => {
        const value = document.createRange()
        value.selectNodeContents(cell)
        return Math.round(value.getBoundingClientRect().left)
      }),
    )
    expect([starts.length > 1, new Set(starts).size]).toEqual([true, 1])
    await page.goto(new URL('/audit', page.url()).href)
    const colour = () =>
      page
        .locator('.about > summary')
        .first()
        .evaluate((act) => getComputedStyle(act).color)
    const onPhone = await colour()
    await page.setViewportSize({ width: 1280, height: 844 })
    expect(await colour()).toBe(onPhone)
  })

  test('on a phone, a page’s file stands beside its heading, and a way out clear of a red button', async () => {
    const { page } = await open('/a/acme/pages', { viewport: { width: 390, height: 844 } })
    const placeOf = async (selector: string) =>
      (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [heading, file] = [await placeOf('h1'), await placeOf('.save')]
    expect(Math.abs(file.y + file.height / 2 - heading.y - heading.height / 2)).toBeLessThan(4)
    await page.goto(new URL('/a/acme/remove', page.url()).href)
    const [danger, keep] = [await placeOf('button.danger'), await placeOf('form .do a')]
    const [apart, below] = [keep.x - danger.x - danger.width, keep.y - danger.y - danger.height]
    expect(Math.max(apart, below)).toBeGreaterThanOrEqual(12)
  })
})
