// The demo's pages as people meet them, on a phone and on a desk, by day and by night: no fault by axe-core's rules.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { hasChromium } from './harness/chromium.ts'
import { type Demo, startDemo } from './harness/demo.ts'
import { faultsInAllLooks } from './harness/looks.ts'

describe.skipIf(!hasChromium)('the demo, for whoever cannot see it or sees it otherwise,', () => {
  let demo: Demo
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    demo = await startDemo()
  })
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())))
  afterAll(() => demo.stop())

  async function open(options: BrowserContextOptions, path = new URL(demo.landingPage).pathname): Promise<Page> {
    const context = await demo.browser.newContext(options)
    contexts.push(context)
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

  test('asks whether visits may be counted, and shows a form with its bot check', async () => {
    const faults = await faultsInAllLooks('demo', async (options) => {
      const page = await open(options)
      await page.getByRole('button', { name: 'Yes, count' }).waitFor()
      await page.getByRole('checkbox', { name: "I'm not a robot" }).waitFor()
      return page
    })
    expect(faults).toEqual([])
  })

  test('says that a form was refused', async () => {
    const faults = await faultsInAllLooks('demo-refused', async (options) => {
      const page = await open(options)
      await page.route('**/_svc/f/**', (route) => route.fulfill({ status: 502 }))
      await askForSlot(page)
      await page.getByRole('alert').getByText('did not answer').waitFor()
      return page
    })
    expect(faults).toEqual([])
  })

  test('gives thanks', async () => {
    const faults = await faultsInAllLooks('demo-thanks', async (options) => {
      const page = await open(options)
      await askForSlot(page)
      await page.getByRole('heading', { name: 'It is on the drying rack.' }).waitFor()
      return page
    })
    expect(faults).toEqual([])
  })

  test('says what is kept', async () => {
    const faults = await faultsInAllLooks('demo-privacy', async (options) => {
      const page = await open(options, '/privacy')
      await page.getByRole('heading', { name: 'What we keep of your visit' }).waitFor()
      return page
    })
    expect(faults).toEqual([])
  })
})
