// The hosted test page in all it can come to, on a phone and on a desk, by day and by night: no fault by axe-core's rules.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import type { Seen } from './harness/front.ts'
import { faultsInAllLooks } from './harness/looks.ts'
import { testPageRun } from './harness/test-page-run.ts'
import { World } from './harness/world.ts'

describe.skipIf(!hasChromium)('the test page, for whoever cannot see it or sees it otherwise,', () => {
  let world: World
  /** The test pages' addresses: of an account that knows its origin, of one that does not, and without a tracking key. */
  let addresses: { known: string; unknown: string; keyless: string }

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
    addresses = {
      known: await addressOf('acme', '--key', trackingKeyOf('acme')),
      unknown: await addressOf('bold', '--key', trackingKeyOf('bold')),
      keyless: await addressOf('acme'),
    }
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const addressOf = async (account: string, ...options: string[]): Promise<string> =>
    (await world.box.run(['preview', account, 'test', ...options])).stdout.trim()

  const open = async (address: string, options: BrowserContextOptions): Promise<Page> =>
    (await world.visitor(options)).open(address)

  /** Holds back the answers to the requests that it fits, until the test is over. */
  const hold = (fits: (seen: Seen) => boolean): void => {
    world.front.disturbance = (seen) => (fits(seen) ? new Promise(() => undefined) : null)
  }

  test('when nothing is tried yet', async () => {
    hold(({ path }) => path.startsWith('/_svc/'))
    const faults = await faultsInAllLooks('test-page-fresh', async (options) => {
      const page = await open(addresses.known, options)
      await page.getByRole('heading', { name: 'The script' }).waitFor()
      return page
    })
    expect(faults).toEqual([])
  })

  test('while a form is under way', async () => {
    hold(({ method, path }) => method === 'POST' && path.startsWith('/_svc/f/'))
    const faults = await faultsInAllLooks('test-page-running', async (options) => {
      const page = await open(addresses.known, options)
      await page.frameLocator('iframe[title^="The form “Contact”"]').locator('form[aria-busy]').waitFor()
      return page
    })
    expect(faults).toEqual([])
  })

  test('when all is tried and everything works', async () => {
    const faults = await faultsInAllLooks('test-page-finished', async (options) => {
      const page = await open(addresses.known, options)
      await testPageRun(page)
      await page.getByRole('heading', { name: 'Everything works' }).waitFor()
      await page.getByText('Request and answer').first().click()
      return page
    })
    expect(faults).toEqual([])
  })

  test('of an account that does not know its origin', async () => {
    const faults = await faultsInAllLooks('test-page-refused', async (options) => {
      const page = await open(addresses.unknown, options)
      await testPageRun(page)
      return page
    })
    expect(faults).toEqual([])
  })

  test('when it asks for the tracking key, and what was typed is none', async () => {
    const faults = await faultsInAllLooks('test-page-key', async (options) => {
      const page = await open(addresses.keyless, options)
      await testPageRun(page)
      await page.getByLabel('Tracking key').fill('not a key')
      await page.getByRole('button', { name: 'Try events' }).click()
      await page.getByRole('alert').getByText('A tracking key is').waitFor()
      return page
    })
    expect(faults).toEqual([])
  })
})
