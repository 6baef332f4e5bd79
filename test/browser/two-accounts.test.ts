// Scripts of two accounts on one page (docs/script.md): events go to both, a form to the one that stands first.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { World } from './harness/world.ts'

const website = 'https://www.both.test'
const accounts = ['acme', 'bold']

describe.skipIf(!hasChromium)('a page with the scripts of two accounts', () => {
  let world: World

  beforeAll(async () => {
    const site = (account: string) =>
      aSite({ account, origins: [website], tracking: { key: trackingKeyOf(account), auto_pageview: false } })
    world = await World.start(accounts.map(site))
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  /** @param early what the page calls before the scripts are there */
  async function open(early = ''): Promise<Page> {
    const stub = 'svc = function () { (svc.q = svc.q || []).push(arguments) }'
    const head = `<script>svcConsent = true; ${early && stub}; ${early}</script>${accounts.map(tagOf).join('')}`
    world.front.put(`${website}/contact`, pageWith({ scriptFrom: null, head, body: formMarkup() }))
    const page = await (await world.visitor()).open(`${website}/contact`)
    await page.waitForFunction(() => svc?.o?.length === 2)
    return page
  }
  const tagOf = (account: string) =>
    `<script src="https://go.${account}.test/_svc/v1.js" data-site-key="${trackingKeyOf(account)}" defer></script>`
  const sent = () =>
    world.front
      .seen('POST', '/_svc/e')
      .flatMap(({ origin, body }) =>
        JSON.parse(body).events.map(({ event }: { event: string }) => `${origin} ${event}`),
      )
      .sort()
  const hostsOf = (pathPrefix: string) => world.front.seen('POST', pathPrefix).map(({ origin }) => origin)

  test('tells both of an event', async () => {
    const page = await open()
    await page.evaluate(() => svc('track', 'seen'))
    await eventually('both are told', async () => hostsOf('/_svc/e').length === 2)
    expect(hostsOf('/_svc/e').sort()).toEqual(['https://go.acme.test', 'https://go.bold.test'])
  })

  test('tells both of what was said before they came', async () => {
    await open(
      "svc('track', 'early'); svc('track', 'dropped'); svc('filter', (event) => event.event === 'dropped' ? null : event)",
    )
    await eventually('both are told', async () => sent().length === 2)
    expect(sent()).toEqual(['https://go.acme.test early', 'https://go.bold.test early'])
  })

  test('tells the one that comes later of filters and of a no that were before it', async () => {
    const head = `<script>svcConsent = true</script>${tagOf('acme')}`
    world.front.put(`${website}/late`, pageWith({ scriptFrom: null, head }))
    const page = await (await world.visitor()).open(`${website}/late`)
    await page.evaluate(() => {
      svc('filter', (event: { event: string }) => (event.event === 'dropped' ? null : event))
      svc('consent', false)
      for (let index = 0; index < 150; index++) svc('track', 'denied')
    })
    await page.evaluate(
      ({ src, siteKey }) => {
        const tag = Object.assign(document.createElement('script'), { src })
        tag.dataset.siteKey = siteKey
        document.head.append(tag)
      },
      { src: 'https://go.bold.test/_svc/v1.js', siteKey: trackingKeyOf('bold') },
    )
    await page.waitForFunction(() => svc?.o?.length === 2)
    await page.evaluate(() => {
      svc('track', 'denied')
      svc('consent', true)
      svc('track', 'dropped')
      svc('track', 'kept')
    })
    await eventually('both are told', async () => sent().length === 2)
    expect(sent()).toEqual(['https://go.acme.test kept', 'https://go.bold.test kept'])
  })

  test('tells one alone of what is addressed to it', async () => {
    const page = await open("svc('track@go.bold.test', 'to_bold')")
    await page.evaluate(() => {
      svc('track@go.acme.test', 'to_acme')
      svc('track', 'to_both')
    })
    await eventually('all of them', async () => sent().length === 4)
    expect(sent()).toEqual([
      'https://go.acme.test to_acme',
      'https://go.acme.test to_both',
      'https://go.bold.test to_bold',
      'https://go.bold.test to_both',
    ])
  })

  test('sends a form that is addressed to the second to it', async () => {
    const page = await open()
    await page.getByLabel('Email').fill('ada@example.test')
    await page.evaluate(() => svc('submit@go.bold.test', document.querySelector('form')))
    await page.getByRole('status').getByText('Thank you').waitFor()
    expect(hostsOf('/_svc/f/')).toEqual(['https://go.bold.test'])
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
