// The demo (README, "Try it") in a real browser: its landing page and the doorway to its test page.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { hasChromium } from './harness/chromium.ts'
import { type Demo, startDemo } from './harness/demo.ts'
import { testPageRun } from './harness/test-page-run.ts'

describe.skipIf(!hasChromium)('the demo', () => {
  let demo: Demo
  let context: BrowserContext

  beforeAll(async () => {
    demo = await startDemo()
  })
  afterEach(() => context.close())
  afterAll(() => demo.stop())

  async function newPage(): Promise<Page> {
    context = await demo.browser.newContext()
    return context.newPage()
  }

  test('takes a request for a press slot, bot check and all, and shows it on the terminal', async () => {
    const page = await newPage()
    await page.goto(demo.landingPage)
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByLabel('You may keep this').check()
    await page.getByRole('button', { name: 'Ask for a slot' }).click()
    await page.getByRole('heading', { name: 'It is on the drying rack.' }).waitFor()
    await demo.program.says('stdout', /submission +form neapform: ada@example\.test .*name: Ada/)
  })

  test('counts when it is allowed to, and no longer when the switch says so', async () => {
    const page = await newPage()
    await page.goto(demo.landingPage)
    const counting = page.getByRole('switch', { name: 'Count my visits' })
    expect(await counting.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Yes, count' }).click()
    expect(await counting.isChecked()).toBe(true)
    await page.getByLabel('Kelp green').first().check()
    await demo.program.says('stdout', /event +inks_picked +first: Kelp green/)
    await counting.uncheck()
    await page.reload()
    expect(await counting.isChecked()).toBe(false)
    expect(await page.getByRole('button', { name: 'Yes, count' }).isVisible()).toBe(false)
  })

  test('moves its test page to the preview host, where everything works', async () => {
    const page = await newPage()
    await page.goto(demo.testPage)
    await page.waitForURL(/^http:\/\/preview\.localhost:/)
    await testPageRun(page)
    await page.getByRole('heading', { name: 'Everything works' }).waitFor()
    const failed = await page.locator('.check:not([data-state=passed], [data-state=note]) h4').allTextContents()
    expect(failed).toEqual([])
    await demo.program.says('stdout', /submission .*\(test page\)/)
  })

  test('shows its test page on 127.0.0.1 where the browser does not know the preview host', async () => {
    const page = await newPage()
    await context.route(/^http:\/\/preview\.localhost/, (route) => route.abort('namenotresolved'))
    await page.goto(demo.testPage)
    await testPageRun(page)
    await page.getByRole('heading', { name: 'Not everything could be tried' }).waitFor()
    expect(new URL(page.url()).hostname).toBe('127.0.0.1')
    // To its own domain it sends; the other one does not know this origin, which shows what a refusal looks like.
    const states = await page.locator('.check', { has: page.getByRole('heading', { name: 'A submission' }) }).all()
    expect(await Promise.all(states.map((state) => state.getAttribute('data-state')))).toEqual(['passed', 'skipped'])
    expect(await page.getByText('Your browser does not know the preview host preview.localhost').isVisible()).toBe(true)
  })
})
