// Scripts of two accounts on one page (docs/script.md): events go to both, a form to the one that stands first.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { testMsMax, World, waitMsMax, worldStartMsMax } from './harness/world.ts'

setDefaultTimeout(testMsMax)

const website = 'https://www.both.test'
const accounts = ['acme', 'bold']

describe.skipIf(!hasChromium)('a page with the scripts of two accounts', () => {
  let world: World

  beforeAll(async () => {
    const site = (account: string) =>
      aSite({ account, origins: [website], tracking: { key: trackingKeyOf(account), auto_pageview: false } })
    world = await World.start(accounts.map(site))
  }, worldStartMsMax)
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  async function open(): Promise<Page> {
    const scripts = accounts.map(
      (account) =>
        `<script src="https://go.${account}.test/_svc/v1.js" data-site-key="${trackingKeyOf(account)}" defer></script>`,
    )
    const head = `<script>svcConsent = true</script>${scripts.join('')}`
    world.front.put(`${website}/contact`, pageWith({ scriptFrom: null, head, body: formMarkup() }))
    const page = await (await world.visitor()).open(`${website}/contact`)
    await page.waitForFunction(() => svc?.o?.length === 2)
    return page
  }
  const hostsOf = (pathPrefix: string) => world.front.seen('POST', pathPrefix).map(({ origin }) => origin)

  test('tells both of an event', async () => {
    const page = await open()
    await page.evaluate(() => svc('track', 'seen'))
    await eventually('both are told', waitMsMax, async () => hostsOf('/_svc/e').length === 2)
    expect(hostsOf('/_svc/e').sort()).toEqual(['https://go.acme.test', 'https://go.bold.test'])
  })

  test.each(['the visitor', 'the page'])('sends a form that %s sends once, to the first', async (who) => {
    const page = await open()
    await page.getByLabel('Email').fill('ada@example.test')
    if (who === 'the visitor') await page.getByRole('button', { name: 'Send' }).click()
    else await page.evaluate(() => svc('submit', document.querySelector('form')))
    await page.getByRole('status').getByText('Thank you').waitFor()
    expect(hostsOf('/_svc/f/')).toEqual(['https://go.acme.test'])
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

declare const svc: { (...command: unknown[]): void; o?: string[] }
