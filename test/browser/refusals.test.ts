// The script against a box that refuses, fails, hesitates or is away (spec, Errors; docs/script.md, "Forms").
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import type { Seen } from './harness/front.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const website = 'https://www.acme.test'
const contact = `${website}/contact`

/** Answers to a POST, of the box and of whoever may stand before it: what a page hears, and whether events are tried again. */
const answers: { name: string; answer: () => Response; heard: string; status: number; eventsRetried: boolean }[] = [
  ...[
    { code: 'validation', status: 400 },
    { code: 'unknown_source', status: 403 },
    { code: 'unknown_source', status: 404 },
    { code: 'bot', status: 403 },
    { code: 'consent_missing', status: 403 },
    { code: 'rate_limited', status: 429, eventsRetried: true },
    { code: 'internal', status: 500, eventsRetried: true },
    { code: 'unavailable', status: 503, eventsRetried: true },
  ].map(({ code, status, eventsRetried = false }) => ({
    ...{ name: `${status} ${code}`, heard: code, status, eventsRetried },
    answer: () => readable(JSON.stringify({ error: { code, message: 'As a test wants it.' } }), status),
  })),
  ...[
    { name: 'a page of a proxy', body: '<h1>Bad gateway</h1>', status: 502, heardStatus: 0 },
    { name: 'nothing', body: '', status: 500, heardStatus: 0 },
    { name: 'half of a JSON text', body: '{"error":{"code":"bo', status: 503, heardStatus: 0 },
    { name: 'an error in other words', body: '{"error":"Bad gateway"}', status: 502, heardStatus: 502 },
    { name: 'null', body: 'null', status: 500, heardStatus: 500 },
    { name: 'a number', body: '7', status: 500, heardStatus: 500 },
  ].map(({ name, body, status, heardStatus }) => ({
    ...{ name, heard: 'unavailable', status: heardStatus, eventsRetried: true },
    answer: () => readable(body, status),
  })),
  {
    ...{ name: 'null from a firewall', heard: 'unavailable', status: 403, eventsRetried: false },
    answer: () => readable('null', 403),
  },
  {
    ...{ name: 'what the browser hides', heard: 'unavailable', status: 0, eventsRetried: true },
    answer: () => new Response(null, { status: 403 }),
  },
]

describe.skipIf(!hasChromium)('the script', () => {
  let world: World

  beforeAll(async () => {
    const tracking = { key: trackingKeyOf('acme'), auto_pageview: false }
    world = await World.start([aSite({ forms: [aForm(), aForm({ id: 'retired1', registered: false })], tracking })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const sent = (at = world) => at.front.seen('POST', '/_svc/f/')

  async function openForm(
    markup = formMarkup(),
    at = world,
    who = at.regular(),
  ): Promise<{ visitor: Visitor; page: Page }> {
    at.front.put(contact, pageWith({ body: markup }))
    const visitor = await who
    const page = await visitor.visit(contact)
    await page.waitForFunction(() => svc?.o)
    return { visitor, page }
  }

  describe('with a form', () => {
    test.each(answers)('that is answered with $name says so, and can be sent again', async (one) => {
      const { visitor, page } = await openForm(
        formMarkup({ attributes: `data-svc-message-${one.heard}="It was ${one.heard}"` }),
      )
      await hearRefusals(page)
      world.front.disturbance = ({ method }) => (method === 'POST' ? one.answer() : null)
      await fillAndSend(page)
      await page.getByRole('alert').getByText(`It was ${one.heard}`, { exact: true }).waitFor()
      expect(await heardBy(page)).toMatchObject([{ code: one.heard, status: one.status, message: expect.any(String) }])
      expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test')
      expect(visitor.errors).toEqual([])
      world.front.disturbance = () => null
      await press(page)
      await thanks(page)
      expect(sent()).toHaveLength(2)
    })

    test('that a robot filled hears it from the box itself', async () => {
      const { page } = await openForm()
      await hearRefusals(page)
      await page.locator('[name=_hp]').evaluate((trap: HTMLInputElement) => Object.assign(trap, { value: 'x' }))
      await fillAndSend(page)
      await page.getByRole('alert').getByText('Sorry').waitFor()
      expect(await heardBy(page)).toMatchObject([{ code: 'bot', status: 403 }])
    })

    test('that is not registered hears it from the box itself', async () => {
      const { page } = await openForm(formMarkup({ id: 'retired1' }))
      await hearRefusals(page)
      await fillAndSend(page)
      await page.getByRole('alert').getByText('Sorry').waitFor()
      expect(await heardBy(page)).toMatchObject([{ code: 'unknown_source', status: 404 }])
    })

    test('on a slow network sends it once, however often it is asked', async () => {
      const { page } = await openForm()
      const { opened, open } = gate()
      world.front.disturbance = async ({ method }) => (method === 'POST' ? opened.then(() => null) : null)
      await page.getByLabel('Email').fill('ada@example.test')
      await page.getByLabel('Email').press('Enter')
      await eventually('the first request', async () => sent().length === 1)
      expect(await page.locator('form').getAttribute('aria-busy')).toBe('true')
      await page.getByLabel('Email').press('Enter')
      await press(page)
      await page.evaluate(() => svc('submit', document.querySelector('form')))
      open()
      await thanks(page)
      expect(await page.locator('form').getAttribute('aria-busy')).toBeNull()
      expect(sent()).toHaveLength(1)
    })

    test('and a box that is away says so, and sends it when the box is back', async () => {
      world.front.disturbance = unlessScript(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
      const { visitor, page } = await openForm(undefined, world, world.visitor())
      await fillAndSend(page)
      await page.getByRole('alert').getByText('Sorry').waitFor()
      world.front.disturbance = () => null
      await press(page)
      await thanks(page)
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(visitor.errors).toEqual([])
    })
  })

  // These wait for seconds, and so they do it side by side, each before a front of its own.
  describe('in time,', () => {
    /** The n-th answer's page; what its first batch is answered with, the front finds out by the page's address. */
    const addressOf = (index: number) => `${website}/events/${index}`
    const eventsOf = ({ body }: Seen): SentEvent[] => JSON.parse(body).events
    const stored = (at: World, index: number, name: string): boolean =>
      at.front
        .seen('POST', '/_svc/e')
        .filter(({ status }) => status === 202)
        .some((one) =>
          eventsOf(one).some(({ event, properties }) => event === name && properties.url === addressOf(index)),
        )

    test.concurrent('with a form waits for its declaration no longer than a visitor would, and sends it once', async () => {
      await using aside = world.aside()
      const { opened, open } = gate()
      aside.front.disturbance = async ({ path }) => (path.startsWith('/_svc/rc') ? opened.then(() => null) : null)
      const { page } = await openForm(undefined, aside)
      await fillAndSend(page)
      await press(page)
      await thanks(page)
      open()
      expect(sent(aside)).toHaveLength(1)
    })

    test.concurrent('with events survives every answer: what may pass is tried again, the rest is lost, and later events arrive', async () => {
      await using aside = world.aside()
      const visitor = await aside.visitor()
      const disturbed = new Set<string>()
      aside.front.disturbance = (seen) => {
        const url = seen.method === 'POST' ? eventsOf(seen)[0]?.properties.url : undefined
        if (url === undefined || disturbed.has(url)) return null
        disturbed.add(url)
        return answers[Number(url.split('/').at(-1))]?.answer() ?? null
      }
      const head = '<script>svcConsent = true</script>'
      await Promise.all(
        answers.map(async (_, index) => {
          aside.front.put(addressOf(index), pageWith({ head }))
          const page = await visitor.open(addressOf(index))
          await page.evaluate(() => svc('track', 'first'))
          await eventually('the first answer', async () => disturbed.has(addressOf(index)))
          await page.evaluate(() => svc('track', 'later'))
        }),
      )
      await eventually('the later events', async () => answers.every((_, index) => stored(aside, index, 'later')))
      const namesOf = (all: typeof answers) => all.map(({ name }) => name)
      expect(namesOf(answers.filter((_, index) => stored(aside, index, 'first')))).toEqual(
        namesOf(answers.filter(({ eventsRetried }) => eventsRetried)),
      )
      expect(visitor.errors).toEqual([])
    })

    test.concurrent('with events tries no sooner when the time to wait is a date', async () => {
      await using aside = world.aside()
      aside.front.put(addressOf(0), pageWith({ head: '<script>svcConsent = true</script>' }))
      let refusals = 1
      aside.front.disturbance = ({ method }) =>
        method === 'POST' && refusals-- > 0 ? readable('{}', 503, 'Wed, 21 Oct 2037 07:28:00 GMT') : null
      const page = await (await aside.visitor()).open(addressOf(0))
      await page.evaluate(() => svc('track', 'patient'))
      await eventually('the second try', async () => stored(aside, 0, 'patient'))
      const [first, second] = aside.front.seen('POST', '/_svc/e')
      expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(4_900)
    })

    test.concurrent('with events and a box that is away from the start sends them when it is back', async () => {
      await using aside = world.aside()
      aside.front.put(addressOf(0), pageWith({ head: '<script>svcConsent = true</script>' }))
      aside.front.disturbance = unlessScript(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
      const visitor = await aside.visitor()
      const page = await visitor.open(addressOf(0))
      await page.evaluate(() => svc('track', 'kept'))
      await eventually('it has asked', async () =>
        aside.front.seen('GET', '/_svc/rc').some(({ status }) => status === 502),
      )
      aside.front.disturbance = () => null
      await eventually('it is stored', async () => stored(aside, 0, 'kept'))
      expect(visitor.errors).toEqual([])
    })
  })
})

/** Lets the script itself arrive. */
const unlessScript = (answer: () => Response) => (seen: Seen) => (seen.path === '/_svc/v1.js' ? null : answer())

async function fillAndSend(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.test')
  await press(page)
}

const press = (page: Page): Promise<void> => page.getByRole('button', { name: 'Send' }).click()
const thanks = (page: Page): Promise<void> => page.getByRole('status').getByText('Thank you').waitFor()

const hearRefusals = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.refusals = []
    addEventListener('svc:refused', (event) => window.refusals.push((event as CustomEvent).detail))
  })

const heardBy = (page: Page): Promise<unknown[]> => page.evaluate(() => window.refusals)

/** An answer that the browser shows to the page. */
const readable = (body: string, status: number, retryAfter?: string): Response =>
  new Response(body, {
    status,
    headers: {
      'access-control-allow-origin': website,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'Retry-After',
      'content-type': 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
  })

function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

interface SentEvent {
  event: string
  properties: { url: string }
}

declare global {
  interface Window {
    refusals: unknown[]
  }
}

declare const svc: { (...command: unknown[]): void; o?: string[] }
