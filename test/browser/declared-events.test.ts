// Events that the page's markup declares, links that the script tag asks for, and filters (docs/script.md).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { hide } from './harness/hide.ts'
import { pageWith } from './harness/pages.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const website = 'https://www.acme.test/home'

describe.skipIf(!hasChromium)('events that a page declares', () => {
  let world: World

  beforeAll(async () => {
    world = await World.start([aSite({ tracking: { key: trackingKeyOf('acme'), auto_pageview: false } })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  /** A page whose visitor has said yes, and whose script makes events by now. */
  async function open(body: string, attributes = '', head = ''): Promise<{ page: Page; visitor: Visitor }> {
    const tag = `<script src="https://go.acme.test/_svc/v1.js" data-site-key="${trackingKeyOf('acme')}" ${attributes} defer></script>`
    const start = `<script>svcConsent = true; svc = function () { (svc.q = svc.q || []).push(arguments) }; ${head}</script>`
    world.front.put(website, pageWith({ scriptFrom: null, head: start + tag, body }))
    const visitor = await world.regular()
    const page = await visitor.visit(website)
    await page.evaluate(() => svc('track', 'opened'))
    await happens('the first batch', () => batches().some(({ status }) => status === 202))
    return { page, visitor }
  }
  const batches = () => world.front.seen('POST', '/_svc/e')
  const happens = (what: string, holds: () => boolean) => eventually(what, async () => holds())

  /** What the page has sent after its first event, once everything has left. */
  async function sent(page: Page): Promise<[name: string, properties: Record<string, unknown>][]> {
    await page.evaluate(() => svc('track', 'end'))
    await hide(page)
    const events = () => batches().flatMap(({ body }): SentEvent[] => JSON.parse(body).events)
    await happens('the end', () => events().some(({ event }) => event.startsWith('end')))
    return events()
      .filter(({ event }) => !/^(opened|end)/.test(event))
      .map(({ event, properties: { url: _, ...properties } }) => [event, properties])
  }

  describe('by data-svc-event', () => {
    test('are tracked for clicks of the mouse and the keyboard, with their properties', async () => {
      const { page, visitor } = await open(`
        <section data-svc-event="section">
          <button data-svc-event="plan_chosen" data-svc-event-plan="pro" data-svc-event-per-month="12"><b>Pro</b></button>
          <p>Nothing of its own</p>
          <a href="#more" data-svc-event="more">More</a>
        </section>
        <button disabled data-svc-event="disabled">No</button>`)
      await page.getByText('Pro').click()
      await page.getByRole('button', { name: 'Pro' }).press('Space')
      await page.getByRole('link').press('Enter')
      await page.getByText('Nothing').click()
      await page.getByText('No', { exact: true }).click({ force: true })
      const plan: [string, object] = ['plan_chosen', { plan: 'pro', 'per-month': '12' }]
      expect(await sent(page)).toEqual([plan, plan, ['more', {}], ['section', {}]] as never)
      expect([...visitor.notices, ...visitor.errors]).toEqual([])
    })

    test('are tracked once for a label and what it labels', async () => {
      const { page } = await open('<label data-svc-event="agreed"><input type="checkbox"> <i>I agree</i></label>')
      // By the mouse itself: Playwright would click what the label stands for.
      const { x, y } = (await page.getByText('I agree').boundingBox()) ?? { x: 0, y: 0 }
      await page.mouse.click(x + 2, y + 2)
      await page.getByRole('checkbox').click()
      expect(await sent(page)).toEqual([
        ['agreed', {}],
        ['agreed', {}],
      ])
    })

    test('are tracked for a form when it is sent, not when it is clicked, whatever the page stops', async () => {
      const { page } = await open(`
        <form data-svc-event="searched" data-svc-event-where="shop"><input name="q" required><button>Search</button></form>
        <script>document.querySelector('form').addEventListener('submit', (event) => {
          event.preventDefault()
          event.stopImmediatePropagation()
        }, true)</script>`)
      await page.getByRole('textbox').click()
      await page.getByRole('button').click()
      await page.getByRole('textbox').fill('lamp')
      await page.getByRole('textbox').press('Enter')
      expect(await sent(page)).toEqual([['searched', { where: 'shop' }]])
    })

    test('are tracked in elements that came later, and in open shadow roots', async () => {
      const { page } = await open('<main></main>')
      await page.evaluate(() => {
        const main = document.querySelector('main')
        main?.insertAdjacentHTML('beforeend', '<button data-svc-event="later">Later</button><div></div>')
        const root = document.querySelector('div')?.attachShadow({ mode: 'open' })
        const markup =
          '<button data-svc-event="inside">Inside</button><form data-svc-event="sent_inside"><input></form>'
        root?.append(document.createRange().createContextualFragment(markup))
        root?.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault())
      })
      await page.getByText('Later').click()
      await page.getByRole('textbox').press('Enter')
      await page.getByText('Inside').click()
      expect(await sent(page)).toEqual([
        ['later', {}],
        ['sent_inside', {}],
        ['inside', {}],
      ])
    })

    test('wait for the file that tracks them', async () => {
      const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
      world.front.disturbance = ({ path }) => (path === '/_svc/e.js' ? arrival.then(() => null) : null)
      const visitor = await world.visitor()
      world.front.put(
        website,
        pageWith({ head: '<script>svcConsent = true</script>', body: '<button data-svc-event="early">Early</button>' }),
      )
      const page = await visitor.open(website)
      await page.getByRole('button').click()
      arrive()
      expect(await sent(page)).toEqual([['early', {}]])
    })

    test('without a name or with too long a one are named on the console', async () => {
      const { page, visitor } = await open('<button data-svc-event="">A</button>')
      await page.getByRole('button').click()
      await happens('a notice', () => visitor.notices.length > 0)
      expect(visitor.notices).toEqual(['warning: [svc] Event not sent: its name has 1 to 200 characters'])
    })
  })

  describe('by links', () => {
    const links = `
      <a href="https://partner.test/offer?email=ada@acme.test#top">Partner</a>
      <a href="https://partner.test/offer" target="_blank">New tab</a>
      <a href="/inside">Inside</a>
      <a href="https://go.acme.test/launch">Landing page</a>
      <a href="mailto:ada@acme.test">Mail</a>
      <a href="/price-list.PDF?for=ada">Prices</a>
      <a href="https://partner.test/kit.zip">Kit</a>
      <a href="/report" download>Report</a>
      <a href="http://www.acme.test/old">Old</a>
      <script>addEventListener('click', (event) => event.preventDefault())</script>`
    const clickAll = async (page: Page) => {
      for (const link of await page.getByRole('link').all()) await link.click()
      await page.getByText('Partner').click({ button: 'middle' })
      await page.getByText('Partner').click({ button: 'right' })
    }
    const offer: [string, object] = ['$outbound', { link: 'https://partner.test/offer' }]

    test('are not sent if the script tag asks for none', async () => {
      const { page } = await open(links)
      await clickAll(page)
      expect(await sent(page)).toEqual([])
    })

    test('to other hosts are tracked with data-outbound, without query and fragment', async () => {
      const { page } = await open(links, 'data-outbound')
      await clickAll(page)
      expect(await sent(page)).toEqual([
        offer,
        offer,
        ['$outbound', { link: 'https://partner.test/kit.zip' }],
        offer,
      ] as never)
    })

    test('to files are tracked with data-downloads, those of other hosts too', async () => {
      const { page } = await open(links, 'data-outbound data-downloads')
      await clickAll(page)
      expect(await sent(page)).toEqual([
        offer,
        offer,
        ['$download', { link: 'https://www.acme.test/price-list.PDF' }],
        ['$download', { link: 'https://partner.test/kit.zip' }],
        ['$download', { link: 'https://www.acme.test/report' }],
        offer,
      ] as never)
    })

    test('to files that data-downloads names are the only ones tracked', async () => {
      const { page } = await open(links, 'data-downloads=".zip, dwg"')
      await clickAll(page)
      expect(await sent(page)).toEqual([
        ['$download', { link: 'https://partner.test/kit.zip' }],
        ['$download', { link: 'https://www.acme.test/report' }],
      ])
    })

    test('are sent although the visitor leaves by them', async () => {
      world.front.put('https://partner.test/offer', 'Welcome')
      const { page } = await open('<a href="https://partner.test/offer">Partner</a>', 'data-outbound')
      await page.getByRole('link').click()
      await page.getByText('Welcome').waitFor()
      await happens('the event', () => batches().some(({ body }) => body.includes('$outbound')))
    })
  })

  describe('pass filters', () => {
    test('that change or drop those that wait and those to come, one filter after the other', async () => {
      const { page, visitor } = await open('')
      await page.evaluate(() => {
        const original = { who: 'ada@acme.test', plan: { seats: 1 } }
        svc('track', 'before', original)
        svc('track', 'own_before')
        svc('filter', (event: SentEvent) => (event.event.startsWith('own') ? null : event))
        svc('filter', (event: SentEvent) => {
          delete event.properties.who
          Object.assign(event.properties.plan ?? {}, { seats: 2 })
          return event
        })
        svc('filter', ({ event, properties }: SentEvent) => ({ event: `${event}!`, properties, more: 'is not sent' }))
        svc('track', 'after', original)
        svc('track', 'own_after')
      })
      expect(await sent(page)).toEqual([
        ['before!', { plan: { seats: 2 } }],
        ['after!', { plan: { seats: 2 } }],
      ])
      expect([...visitor.notices, ...visitor.errors]).toEqual([])
    })

    test.each([
      [
        'throws',
        '() => { throw new Error("my mistake") }',
        'Event "secret" not sent: a filter threw Error: my mistake',
      ],
      ['returns nothing', '() => {}', 'Event "secret" not sent: a filter returns the event, or null to drop it'],
      [
        'returns a promise',
        'async (event) => event',
        'Event "secret" not sent: a filter returns the event, or null to drop it',
      ],
      ['returns what is no event', '() => ({ event: 7 })', 'Event not sent: its name has 1 to 200 characters'],
    ])('of which one %s: nothing of the event is sent, and the console says so', async (_, filter, notice) => {
      const { page, visitor } = await open('')
      await page.evaluate((code) => {
        const filter = new Function(`return ${code}`)()
        svc('filter', (event: SentEvent) => (event.event === 'secret' ? filter(event) : event))
        svc('track', 'secret')
        svc('track', 'secret')
      }, filter)
      expect(await sent(page)).toEqual([])
      expect(visitor.notices).toEqual([`warning: [svc] ${notice}`])
    })

    test('from the first event on, where the page names them before the script is there', async () => {
      const { page } = await open(
        '',
        '',
        "svc('track', 'first'); svc('filter', (event) => event.event === 'first' ? null : event)",
      )
      expect(await sent(page)).toEqual([])
    })
  })
})

interface SentEvent {
  event: string
  properties: Record<string, unknown>
}

declare const svc: (...command: unknown[]) => void
