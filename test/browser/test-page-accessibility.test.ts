// The hosted test page in all it can come to, on a phone and on a desk, by day and by night: no fault by axe-core's rules.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import type { Seen } from './harness/front.ts'
import { isTooWide, keepLook, looks } from './harness/looks.ts'
import { testPageMsMax, testPageRun } from './harness/test-page-run.ts'
import { violations } from './harness/violations.ts'
import { World, worldStartMsMax } from './harness/world.ts'

setDefaultTimeout(testPageMsMax)

describe.skipIf(!hasChromium)('the test page, for whoever cannot see it or sees it otherwise,', () => {
  let world: World

  beforeAll(async () => {
    const schema = {
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string', format: 'email' }, size: { enum: ['small', 'large'] } },
    }
    const forms = [aForm({ name: 'Contact', schema, bot_check: 'on' }), aForm({ id: 'plainfrm', name: 'Plain' })]
    world = await World.start([
      aSite({ origins: ['https://preview.test'], forms }),
      aSite({ account: 'bold', name: 'Bold & Daughters, printers of everything', forms }),
    ])
  }, worldStartMsMax)
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  /** The account's test page, just opened; with its tracking key, unless it is left out. */
  async function open(account: string, options: BrowserContextOptions, key = ['--key', trackingKeyOf(account)]) {
    const { stdout } = await world.box.run(['preview', account, 'test', ...key])
    return (await world.visitor(options)).open(stdout.trim())
  }

  /** Holds back the answers to the requests that it fits, until the test is over. */
  const hold = (fits: (seen: Seen) => boolean): void => {
    world.front.disturbance = (seen) => (fits(seen) ? new Promise(() => undefined) : null)
  }

  async function expectNoFault(page: Page, name: string): Promise<void> {
    await keepLook(page, name)
    expect(await violations(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
  }

  describe.each(looks)('$look,', ({ look, options }) => {
    test('when nothing is tried yet', async () => {
      hold(({ path }) => path.startsWith('/_svc/'))
      const page = await open('acme', options)
      await page.getByRole('heading', { name: 'The script' }).waitFor()
      await expectNoFault(page, `test-page-fresh-${look}`)
    })

    test('while a form is under way', async () => {
      hold(({ method, path }) => method === 'POST' && path.startsWith('/_svc/f/'))
      const page = await open('acme', options)
      await page.frameLocator('iframe[title^="The form “Contact”"]').locator('form[aria-busy]').waitFor()
      await expectNoFault(page, `test-page-running-${look}`)
    })

    test('when all is tried and everything works', async () => {
      const page = await open('acme', options)
      await testPageRun(page)
      await page.getByRole('heading', { name: 'Everything works' }).waitFor()
      await page.getByText('Request and answer').first().click()
      await expectNoFault(page, `test-page-finished-${look}`)
    })

    test('of an account that does not know its origin', async () => {
      const page = await open('bold', options)
      await testPageRun(page)
      await expectNoFault(page, `test-page-refused-${look}`)
    })

    test('when it asks for the tracking key, and what was typed is none', async () => {
      const page = await open('acme', options, [])
      await testPageRun(page)
      await page.getByLabel('Tracking key').fill('not a key')
      await page.getByRole('button', { name: 'Try events' }).click()
      await page.getByRole('alert').getByText('A tracking key is').waitFor()
      await expectNoFault(page, `test-page-key-${look}`)
    })
  })
})
