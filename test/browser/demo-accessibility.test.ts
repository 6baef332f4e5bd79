// The demo's pages as people meet them, on a phone and on a desk, by day and by night: no fault by axe-core's rules.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { hasChromium } from './harness/chromium.ts'
import { type Demo, startDemo } from './harness/demo.ts'
import { isTooWide, keepLook, looks } from './harness/looks.ts'
import { violations } from './harness/violations.ts'
import { testMsMax, waitMsMax, worldStartMsMax } from './harness/world.ts'

setDefaultTimeout(testMsMax)

describe.skipIf(!hasChromium)('the demo, for whoever cannot see it or sees it otherwise,', () => {
  let demo: Demo
  let context: BrowserContext

  beforeAll(async () => {
    demo = await startDemo()
  }, worldStartMsMax)
  afterEach(() => context.close())
  afterAll(() => demo.stop())

  async function open(options: BrowserContextOptions, path = new URL(demo.landingPage).pathname): Promise<Page> {
    context = await demo.browser.newContext(options)
    context.setDefaultTimeout(waitMsMax)
    const page = await context.newPage()
    await page.goto(new URL(path, demo.landingPage).href)
    return page
  }

  async function askForSlot(page: Page): Promise<void> {
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByLabel('You may keep this').check()
    await page.getByRole('button', { name: 'Ask for a slot' }).click()
  }

  async function expectNoFault(page: Page, name: string): Promise<void> {
    await keepLook(page, name)
    expect(await violations(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
  }

  describe.each(looks)('$look,', ({ look, options }) => {
    test('asks whether visits may be counted, and shows a form with its bot check', async () => {
      const page = await open(options)
      await page.getByRole('button', { name: 'Yes, count' }).waitFor()
      await page.getByRole('checkbox', { name: "I'm not a robot" }).waitFor()
      await expectNoFault(page, `demo-${look}`)
    })

    test('says that a form was refused', async () => {
      const page = await open(options)
      await page.route('**/_svc/f/**', (route) => route.fulfill({ status: 502 }))
      await askForSlot(page)
      await page.getByRole('alert').getByText('did not answer').waitFor()
      await expectNoFault(page, `demo-refused-${look}`)
    })

    test('gives thanks', async () => {
      const page = await open(options)
      await askForSlot(page)
      await page.getByRole('heading', { name: 'It is on the drying rack.' }).waitFor()
      await expectNoFault(page, `demo-thanks-${look}`)
    })

    test('says what is kept', async () => {
      const page = await open(options, '/privacy')
      await page.getByRole('heading', { name: 'What we keep of your visit' }).waitFor()
      await expectNoFault(page, `demo-privacy-${look}`)
    })
  })
})
