import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { Box } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'

describe.skipIf(!hasChromium)('a text that is shown once', () => {
  let browser: Browser
  let box: Box
  let owner: ConsoleVisitor

  beforeAll(async () => {
    box = await Box.start([], { console: { listen: '127.0.0.1:0' } })
    owner = await ConsoleVisitor.owner(box)
    browser = await sharedChromium()
  })
  afterAll(async () => {
    await closeContexts()
    await box?.stop()
  })

  /** The page of tokens behind the making of one, and the new token. */
  async function madeToken(options: BrowserContextOptions): Promise<{ page: Page; token: string }> {
    const url = `http://localhost:${box.consolePort}`
    const [name = '', value = ''] = owner.cookie.split('=')
    const context = await browser.newContext(options)
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    await page.goto(`${url}/tokens?new=1`)
    await page.fill('#name', 'ci')
    await page.selectOption('#account', '*')
    await page.check('[name="scope-read"]')
    await page.click('text=Make token')
    return { page, token: (await page.locator('#token').textContent()) ?? '' }
  }

  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  test('is copied by its button, which says so', async () => {
    const { page, token } = await madeToken({ permissions: ['clipboard-read', 'clipboard-write'] })
    const button = page.locator('[data-copy="token"]')
    await button.click()
    await page.locator('[role=status].unseen', { hasText: 'Copied' }).waitFor({ state: 'attached' })
    expect(token).toStartWith('cap_')
    expect(await clipboard(page)).toBe(token)
    await page.locator('[data-copy="token"]', { hasText: /^Copy$/ }).waitFor()
  })

  test('is selected where the browser forbids copying', async () => {
    const { page, token } = await madeToken({})
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))
    })
    await page.click('[data-copy="token"]')
    await page.locator('[data-copy="token"]', { hasText: 'Selected' }).waitFor()
    expect(await page.evaluate(() => String(getSelection()))).toBe(token)
  })

  test('can be selected without a script, and there is no button that would do nothing', async () => {
    const { page, token } = await madeToken({ javaScriptEnabled: false })
    expect(token).toStartWith('cap_')
    expect(await page.locator('[data-copy="token"]').isVisible()).toBe(false)
  })
})
