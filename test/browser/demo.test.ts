// Contract section 9 in a real browser: the demo's landing page and the doorway to its test page.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { RunningProgram } from '../binary/harness/program.ts'
import { captureCommand } from '../harness/capture-command.ts'
import { hasChromium, startLocalChromium } from './harness/chromium.ts'

const startMsMax = 60_000
const runMsMax = 45_000

describe.skipIf(!hasChromium)('the demo', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'capture-demo-')))
  let demo: RunningProgram
  let browser: Browser
  let context: BrowserContext
  let landingPage = ''
  let testPage = ''

  beforeAll(async () => {
    const [executable = '', ...argv] = captureCommand()
    demo = new RunningProgram([...argv, 'serve', '--demo'], { executable, cwd: folder })
    await demo.says('stdout', /Captured from now on/)
    ;[, landingPage = ''] = await demo.says('stdout', /Landing page +(\S+)/)
    ;[, testPage = ''] = await demo.says('stdout', /Test page +(\S+)/)
    browser = await startLocalChromium()
  }, startMsMax)
  afterEach(() => context.close())
  afterAll(async () => {
    await browser.close()
    await demo[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  async function newPage(): Promise<Page> {
    context = await browser.newContext()
    return context.newPage()
  }

  test(
    'takes a request for a press slot, bot check and all, and shows it on the terminal',
    async () => {
      const page = await newPage()
      await page.goto(landingPage)
      await page.getByLabel('Your name').fill('Ada')
      await page.getByLabel('Email').fill('ada@example.test')
      await page.getByLabel('You may keep this').check()
      await page.getByRole('button', { name: 'Ask for a slot' }).click()
      await page.getByRole('heading', { name: 'It is on the drying rack.' }).waitFor()
      await demo.says('stdout', /submission +form neapform: ada@example\.test .*name: Ada/)
    },
    runMsMax,
  )

  test(
    'counts when it is allowed to, and no longer when the switch says so',
    async () => {
      const page = await newPage()
      await page.goto(landingPage)
      const counting = page.getByRole('switch', { name: 'Count my visits' })
      expect(await counting.isChecked()).toBe(false)
      await page.getByRole('button', { name: 'Yes, count' }).click()
      expect(await counting.isChecked()).toBe(true)
      await page.getByLabel('Kelp green').first().check()
      await demo.says('stdout', /event +inks_picked +first: Kelp green/)
      await counting.uncheck()
      await page.reload()
      expect(await counting.isChecked()).toBe(false)
      expect(await page.getByRole('button', { name: 'Yes, count' }).isVisible()).toBe(false)
    },
    runMsMax,
  )

  test(
    'moves its test page to the preview host, where everything works',
    async () => {
      const page = await newPage()
      await page.goto(testPage)
      await page.waitForURL(/^http:\/\/preview\.localhost:/)
      await page.getByRole('heading', { name: 'Everything works' }).waitFor({ timeout: runMsMax })
      const failed = await page.locator('.check:not([data-state=passed], [data-state=note]) h4').allTextContents()
      expect(failed).toEqual([])
      await demo.says('stdout', /submission .*\(test page\)/)
    },
    runMsMax,
  )

  test(
    'shows its test page on 127.0.0.1 where the browser does not know the preview host',
    async () => {
      const page = await newPage()
      await context.route(/^http:\/\/preview\.localhost/, (route) => route.abort('namenotresolved'))
      await page.goto(testPage)
      await page.getByRole('heading', { name: 'Not everything could be tried' }).waitFor({ timeout: runMsMax })
      expect(new URL(page.url()).hostname).toBe('127.0.0.1')
      // To its own domain it sends; the other one does not know this origin, which shows what a refusal looks like.
      const states = await page.locator('.check', { has: page.getByRole('heading', { name: 'A submission' }) }).all()
      expect(await Promise.all(states.map((state) => state.getAttribute('data-state')))).toEqual(['passed', 'skipped'])
      expect(await page.getByText('Your browser does not know the preview host preview.localhost').isVisible()).toBe(
        true,
      )
    },
    runMsMax,
  )
})
