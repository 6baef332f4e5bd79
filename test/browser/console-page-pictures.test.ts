// What the console shows of published pages: pictures that the preview host makes, in which nothing runs.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { ownPort } from '../harness/loopback.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'

const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>'
const launch = `<!doctype html><title>x</title><h1>One</h1><img src="/_svc/img/dot.svg">
<script>document.body.append('the script ran'); parent.postMessage('the script ran', '*')</script>`

describe.skipIf(!hasChromium)('the picture of a version', () => {
  let browser: Browser
  let box: Box
  let page: Page

  beforeAll(async () => {
    const site = aSite({ files: { 'pages/launch.html': launch, 'img/dot.svg': dot } })
    const listen = `127.0.0.1:${ownPort()}`
    box = await Box.start([site], { server: { listen }, console: { listen: '127.0.0.1:0' } })
    browser = await sharedChromium()
    const [name = '', value = ''] = (await ConsoleVisitor.owner(box)).cookie.split('=')
    const context = await browser.newContext()
    const url = `http://localhost:${box.consolePort}`
    await context.addCookies([{ name, value, url }])
    page = await context.newPage()
    await page.goto(`${url}/a/acme/pages/launch`, { waitUntil: 'load' })
  })
  afterAll(async () => {
    await closeContexts()
    await box?.stop()
  })

  const loaded = async (of: Page) =>
    (await (await of.locator('iframe').first().elementHandle())?.contentFrame())?.waitForLoadState('load')

  test('shows the page with its images, and runs none of its scripts', async () => {
    const frame = page.frameLocator('iframe').first()
    await frame.locator('h1', { hasText: 'One' }).waitFor()
    await loaded(page)
    expect(await frame.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
    // The script would have put a text behind itself.
    expect(await frame.locator('body').evaluate((body) => body.lastChild?.nodeName)).toBe('SCRIPT')
  })

  test('takes no focus and no click', async () => {
    expect(await page.locator('iframe').first().getAttribute('tabindex')).toBe('-1')
    expect(
      await page
        .locator('iframe')
        .first()
        .evaluate((frame) => getComputedStyle(frame).pointerEvents),
    ).toBe('none')
  })
})
