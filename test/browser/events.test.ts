// docs/script.md, "Page views", "Consent" and "Commands", in a real browser.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import type { Seen } from './harness/front.ts'
import { hide } from './harness/hide.ts'
import { pageWith } from './harness/pages.ts'
import { settledAfter } from './harness/settled.ts'
import { storedBy, type Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const home = 'https://www.acme.test/home'
const granted = '<script>svcConsent = true</script>'

describe.skipIf(!hasChromium)('events', () => {
  let world: World

  beforeAll(async () => {
    const landing = pageWith({ scriptFrom: '', head: granted, body: '<a href="/other">On</a>' })
    const other = pageWith({ scriptFrom: null })
    const ahead = pageWith({ scriptFrom: null, head: prefetching('/launch'), body: '<a href="/launch">On</a>' })
    world = await World.start([
      aSite({
        origins: ['https://www.acme.test', 'https://shop.other.test'],
        files: { 'pages/launch.html': landing, 'pages/other.html': other, 'pages/ahead.html': ahead },
      }),
      aSite({ account: 'open', tracking: { key: `svc_tk_${'o'.repeat(32)}`, require_opt_in: false } }),
    ])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  /** Somebody whose time runs as we say, on a page whose script has all it needs. */
  async function openWithClock(url: string, at = world): Promise<{ visitor: Visitor; page: Page }> {
    const visitor = await at.visitor()
    await visitor.context.clock.install()
    const page = await visitor.context.newPage()
    const arrivals = ['/_svc/rc', '/_svc/e.js'].map((path) =>
      page.waitForResponse((response) => response.url().includes(path)),
    )
    await page.goto(url)
    for (const arrival of arrivals) await (await arrival).finished()
    return { visitor, page }
  }

  const batches = (at = world): Seen[] => at.front.seen('POST', '/_svc/e')
  const eventsSent = (at = world): SentEvent[] => batches(at).flatMap(eventsIn)
  const namesSent = (at = world) => eventsSent(at).map(({ event }) => event)
  const sentInTime = (what: string, holds: () => boolean) => eventually(what, async () => holds())

  describe('of page views', () => {
    test('of a landing page are left to the edge, also when the browser revalidates it', async () => {
      const visitor = await world.visitor()
      const page = await visitor.open('https://go.acme.test/launch')
      await page.evaluate(() => svc('track', 'first_load'))
      await sentInTime('the mark', () => namesSent().includes('first_load'))
      await page.reload()
      await page.evaluate(() => svc('track', 'second_load'))
      await sentInTime('the mark', () => namesSent().includes('second_load'))
      expect(namesSent()).toEqual(['first_load', 'second_load'])
    })

    test('of a landing page that the browser had fetched ahead, which the edge does not count, are sent', async () => {
      const page = await (await world.visitor()).open('https://go.acme.test/ahead')
      await sentInTime('the prefetch', () => world.front.seen('GET', '/launch').some(({ status }) => status === 200))
      await page.getByRole('link').click()
      await page.waitForURL('**/launch')
      await sentInTime('the view', () => eventsSent().some(({ properties }) => properties.url.endsWith('/launch')))
      expect(world.front.seen('GET', '/launch')).toHaveLength(1)
    })
  })

  test('of page views of moves before the script is whole are recorded with the others', async () => {
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
    world.front.disturbance = ({ path }) => (path === '/_svc/e.js' ? arrival.then(() => null) : null)
    world.front.put(home, pageWith({ head: granted }))
    const page = await (await world.visitor()).open(home)
    await page.evaluate(() => {
      history.replaceState(null, '', '/one')
      history.pushState(null, '', '/two#part')
      svc('track', 'on_two')
      history.pushState(null, '', '/three')
    })
    arrive()
    await sentInTime('all of them', () => eventsSent().length === 5)
    expect(eventsSent().map(({ event, properties }) => [event, properties.url])).toEqual([
      ['$pageview', home],
      ['$pageview', 'https://www.acme.test/one'],
      ['$pageview', 'https://www.acme.test/two#part'],
      ['on_two', 'https://www.acme.test/two#part'],
      ['$pageview', 'https://www.acme.test/three'],
    ])
  })

  test('of page views of moves through the Navigation API are recorded', async () => {
    world.front.put(home, pageWith({ head: granted }))
    const page = await (await world.visitor()).open(home)
    await sentInTime('the first view', () => namesSent().length === 1)
    await page.evaluate(() => {
      const { navigation } = window as unknown as { navigation: NavigationApi }
      navigation.addEventListener('navigate', (event) => event.intercept())
      navigation.navigate('/prices')
    })
    await sentInTime('the second', () => namesSent().length === 2)
    expect(eventsSent()[1]?.properties.url).toBe('https://www.acme.test/prices')
  })

  // These wait for seconds, and so they do it side by side.
  describe('as time goes by,', () => {
    test.concurrent('of page views on another site: one for the page, and one for each move through history', async () => {
      await using aside = world.aside()
      aside.front.put(home, pageWith({ head: granted }))
      const page = await (await aside.visitor()).open(`${home}?utm_source=news`)
      await sentInTime('the first view', () => namesSent(aside).length === 1)
      await page.evaluate(() => {
        history.pushState(null, '', '/about')
        history.replaceState(null, '', '/about#team')
        history.pushState(null, '', '/prices')
      })
      await sentInTime('two more', () => namesSent(aside).length === 3)
      expect(eventsSent(aside).map(({ properties }) => properties.url)).toEqual([
        `${home}?utm_source=news`,
        'https://www.acme.test/about',
        'https://www.acme.test/prices',
      ])
    })

    test.concurrent('of page views tell once which other site led here, by its origin alone', async () => {
      await using aside = world.aside()
      const to = (url: string) =>
        pageWith({ head: granted, body: `<a href="${url}" referrerpolicy="unsafe-url">On</a>` })
      aside.front.put('https://partner.test/ada@acme.test', to(home).replace(/<script.*<\/script>/, ''))
      aside.front.put(home, to('/about'))
      aside.front.put('https://www.acme.test/about', to(home))
      const page = await (await aside.visitor()).open('https://partner.test/ada@acme.test?token=secret')
      await page.getByRole('link').click()
      await sentInTime('the first view', () => namesSent(aside).length === 1)
      expect(await page.evaluate(() => document.referrer)).toContain('secret')
      await page.evaluate(() => history.pushState(null, '', '/prices'))
      await sentInTime('the move', () => namesSent(aside).length === 2)
      await page.getByRole('link').click()
      await sentInTime('the next page', () => namesSent(aside).length === 3)
      expect(await page.evaluate(() => document.referrer)).toBe('https://www.acme.test/prices')
      expect(eventsSent(aside).map(({ properties }) => properties)).toEqual([
        { url: home, referrer: 'https://partner.test' },
        { url: 'https://www.acme.test/prices' },
        { url: 'https://www.acme.test/about' },
      ])
    })

    test.concurrent('of page views are recorded once again after a return from the back/forward cache', async () => {
      await using aside = world.aside({ whole: true })
      const visitor = await aside.visitor()
      const page = await visitor.open('https://go.acme.test/launch')
      await page.evaluate(() => Object.assign(window, { stillHere: true }))
      await page.evaluate(() => svc('track', 'loaded'))
      await sentInTime('the mark', () => namesSent(aside).includes('loaded'))
      await page.getByRole('link').click()
      await page.waitForURL('**/other')
      // Nothing loads on such a return, so there is nothing else to wait for than what the page still holds.
      await page.evaluate(() => history.back())
      await page.waitForFunction(() => 'stillHere' in window)
      await sentInTime('the view', () => namesSent(aside).includes('$pageview'))
      expect(namesSent(aside).filter((name) => name === '$pageview')).toHaveLength(1)
    })

    test.concurrent('that found no connection are sent later', async () => {
      await using aside = world.aside()
      aside.front.put(home, pageWith({ head: granted }))
      let failures = 1
      aside.front.disturbance = ({ method, path }) =>
        method === 'POST' && path === '/_svc/e' && failures-- > 0
          ? new Response('<p>Bad gateway', { status: 502 })
          : null
      await (await aside.visitor()).open(home)
      await sentInTime('the second try', () => batches(aside).some(({ status }) => status === 202))
      const [first, second] = batches(aside)
      expect(second?.body).toBe(String(first?.body))
      expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(4_900)
    })
  })

  describe('before consent', () => {
    test('leave no trace: no request, no cookie, nothing stored', async () => {
      world.front.put(home, pageWith({}))
      const { visitor, page } = await openWithClock(home)
      await page.evaluate(() => svc('track', 'seen'))
      await settledAfter(page, 10_000)
      expect(batches()).toEqual([])
      expect(await visitor.cookies()).toEqual([])
      expect(await storedBy(page)).toEqual([])
    })

    test('wait, and are sent when the visitor says yes', async () => {
      world.front.put(home, pageWith({}))
      const page = await (await world.visitor()).open(home)
      await page.evaluate(() => {
        svc('track', 'seen')
        svc('consent', true)
      })
      await sentInTime('both', () => namesSent().length === 2)
      expect(batches()[0]?.headers.get('x-svc-consent')).toBe('granted')
      // The request is seen before its answer is.
      await sentInTime('its answer', () => batches()[0]?.status === 202)
    })

    test('keep the latest 100', async () => {
      const head = '<script>answer = "granted"; svcConsent = () => answer</script>'
      world.front.put(home, pageWith({ head }))
      const page = await (await world.visitor()).open(home)
      // Once the first was sent, the script knows its configuration: hiding the page sends all the others at once.
      await sentInTime('the first view', () => batches().some(({ status }) => status === 202))
      await page.evaluate(() => {
        Object.assign(window, { answer: undefined })
        for (let index = 0; index < 130; index++) svc('track', `event_${index}`)
        Object.assign(window, { answer: 'granted' })
      })
      await hide(page)
      await sentInTime('a hundred', () => namesSent().length >= 100)
      expect(namesSent().filter((name) => name.startsWith('event_'))).toHaveLength(100)
      expect(namesSent()).toContain('event_129')
      expect(namesSent()).not.toContain('event_29')
    })

    // Each on a page of its own, side by side: what its batches hold is told by that page's address.
    describe('of a page whose signal is', () => {
      let aside: World

      beforeAll(async () => {
        aside = world.aside()
      })
      afterAll(() => aside[Symbol.asyncDispose]())

      const addressWith = (signal: string): string => {
        const url = `https://www.acme.test/${encodeURIComponent(signal)}`
        aside.front.put(url, pageWith({ head: `<script>svcConsent = ${signal}</script>` }))
        return url
      }
      const batchesOf = (page: Page): Seen[] =>
        batches(aside).filter((batch) => eventsIn(batch).some(({ properties }) => properties.url === page.url()))

      test.concurrent.each(['false', '"denied"', '{ granted: false }', '() => false'])(
        '%s: they are dropped',
        async (signal) => {
          const { page } = await openWithClock(addressWith(signal), aside)
          await page.evaluate(() => svc('track', 'dropped'))
          await settledAfter(page, 3_000)
          await page.evaluate(() => {
            svc('consent', true)
            svc('track', 'kept')
          })
          await sentInTime('the later one', () => batchesOf(page).length > 0)
          expect(batchesOf(page).flatMap(eventsIn)).toMatchObject([{ event: 'kept' }])
        },
      )

      test.concurrent.each(['true', '"granted"', '{ granted: true }', '() => true', '() => ({ granted: true })'])(
        '%s: they are none, and are sent',
        async (signal) => {
          const page = await (await aside.visitor()).open(addressWith(signal))
          await sentInTime('the page view', () => batchesOf(page).length > 0)
          expect(batchesOf(page).flatMap(eventsIn)).toHaveLength(1)
          expect(batchesOf(page)[0]?.headers.get('x-svc-consent')).toBe('granted')
        },
      )
    })
  })

  test('of an account that asks nobody are sent without claiming consent', async () => {
    const script = `<script src="https://go.open.test/_svc/v1.js" data-site-key="svc_tk_${'o'.repeat(32)}" defer></script>`
    world.front.put('https://www.open.test/home', pageWith({ scriptFrom: null, head: script }))
    await (await world.visitor()).open('https://www.open.test/home')
    await sentInTime('the page view', () => namesSent().length === 1)
    expect(batches()[0]?.headers.get('x-svc-consent')).toBeNull()
  })

  test('are not sent under Global Privacy Control until the visitor consents to this site', async () => {
    const head = '<script>Object.defineProperty(navigator, "globalPrivacyControl", { value: true })</script>'
    const script = `<script src="https://go.open.test/_svc/v1.js" data-site-key="svc_tk_${'o'.repeat(32)}" defer></script>`
    world.front.put('https://www.open.test/home', pageWith({ scriptFrom: null, head: head + script }))
    const { page } = await openWithClock('https://www.open.test/home')
    await settledAfter(page, 10_000)
    expect(batches()).toEqual([])
    await page.evaluate(() => {
      svc('consent', true)
      svc('track', 'kept')
    })
    await sentInTime('the later one', () => namesSent().length > 0)
    expect(namesSent()).toEqual(['kept'])
  })

  test('leave with the visitor: what waits is sent as the page goes away', async () => {
    world.front.put(home, pageWith({ head: granted }))
    const page = await (await world.visitor()).open(home)
    await sentInTime('the first view', () => namesSent().length === 1)
    await page.evaluate(() => svc('track', 'left'))
    await page.goto('about:blank')
    await sentInTime('the last event', () => namesSent().includes('left'))
  })

  test.each([
    ['the same site', home, true],
    ['another site', 'https://shop.other.test/home', false],
  ])('from %s: whether the identity cookie comes back (%s: %p)', async (_, url, comesBack) => {
    world.front.put(url, pageWith({ head: granted }))
    const visitor = await world.visitor()
    const page = await visitor.open(url)
    await sentInTime('the first batch', () => batches().some(({ status }) => status === 202))
    await page.evaluate(() => svc('track', 'again'))
    await page.goto('about:blank')
    await sentInTime('the second batch', () => batches().filter(({ status }) => status === 202).length === 2)
    expect(batches().map(({ headers }) => headers.has('cookie'))).toEqual([false, comesBack])
    expect((await visitor.cookies()).map(({ name }) => name)).toEqual(comesBack ? ['__Host-svc_id'] : [])
  })
})

const prefetching = (path: string): string =>
  `<script type="speculationrules">${JSON.stringify({
    prefetch: [{ source: 'list', urls: [path], eagerness: 'immediate' }],
  })}</script>`

const eventsIn = ({ body }: Seen): SentEvent[] => JSON.parse(body).events

interface NavigationApi {
  addEventListener: (type: 'navigate', listen: (event: { intercept: () => void }) => void) => void
  navigate: (url: string) => void
}

interface SentEvent {
  event: string
  properties: { url: string; referrer?: string }
}

declare const svc: { (...command: unknown[]): void; q?: unknown }
