// docs/script.md, "Commands", where several things come together: a hidden page, a refusal, an event that is none.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import type { Seen } from './harness/front.ts'
import { hide, show } from './harness/hide.ts'
import { pageWith } from './harness/pages.ts'
import { settled } from './harness/settled.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const website = 'https://www.acme.test'

// Its tests wait for seconds, and so they do it side by side, each before a front of its own.
describe.skipIf(!hasChromium)('the queue of events', () => {
  let world: World

  beforeAll(async () => {
    const tracking = { key: trackingKeyOf('acme'), auto_pageview: false }
    world = await World.start([aSite({ tracking })])
  })
  afterAll(() => world.stop())

  /**
   * A page whose visitor has said yes, and whose first batch was accepted: the queue knows its configuration.
   * @param hasOurClock the test may let its time run
   */
  async function open(aside: World, hasOurClock = false): Promise<{ page: Page; visitor: Visitor } & Batches> {
    aside.front.put(`${website}/home`, pageWith({ head: '<script>svcConsent = true</script>' }))
    const visitor = await aside.visitor()
    if (hasOurClock) await visitor.context.clock.install()
    const page = await visitor.open(`${website}/home`)
    await page.evaluate(() => svc('track', 'opened'))
    const batches = () => aside.front.seen('POST', '/_svc/e')
    const accepted = () => batches().filter(({ status }) => status === 202)
    await happens('the first batch', () => accepted().length === 1)
    return { page, visitor, batches, accepted }
  }

  test.concurrent('waits as long as the box asks for, also when a shorter wait began before the page was hidden', async () => {
    await using aside = world.aside()
    const { page, batches, accepted } = await open(aside)
    let refusals = 1
    aside.front.disturbance = ({ method }) => (method === 'POST' && refusals-- > 0 ? refusal(429, '8') : null)
    await page.evaluate(() => svc('track', 'second'))
    await hide(page)
    await happens('the second try', () => accepted().length === 2)
    const [, refused, again] = batches()
    expect((again?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThan(7_900)
    expect(again?.body).toBe(String(refused?.body))
  })

  test.concurrent('loses nothing of what a hidden page sent at once while the box was away', async () => {
    await using aside = world.aside()
    const { page, visitor, batches, accepted } = await open(aside)
    aside.front.disturbance = ({ method }) => (method === 'POST' ? refusal(503) : null)
    await page.evaluate(() => {
      for (let index = 0; index < 100; index++) svc('track', `event_${index}`)
    })
    await hide(page)
    await happens('five refusals', () => batches().filter(({ status }) => status === 503).length === 5)
    aside.front.disturbance = () => null
    await happens('the next try', () => accepted().length === 2)
    await show(page)
    await hide(page)
    await happens('the rest', () => accepted().length === 6)
    const names = accepted().slice(1).flatMap(namesIn)
    expect(names.sort()).toEqual(Array.from({ length: 100 }, (_, index) => `event_${index}`).sort())
    expect(visitor.notices.filter((notice) => notice.includes('lost'))).toEqual([])
  })

  test.concurrent('sends what waits for a later try when the visitor leaves, and what came since', async () => {
    await using aside = world.aside()
    const { page, batches, accepted } = await open(aside)
    let refusals = 1
    aside.front.disturbance = ({ method }) => (method === 'POST' && refusals-- > 0 ? refusal(503) : null)
    await page.evaluate(() => svc('track', 'failed'))
    await happens('the failure', () => batches().some(({ status }) => status === 503))
    await settled(page)
    await page.evaluate(() => svc('track', 'since'))
    await page.goto('about:blank')
    await happens('both', () => accepted().length === 2)
    expect(accepted().flatMap(namesIn)).toEqual(['opened', 'failed', 'since'])
  })

  test.concurrent('does not send what is under way a second time when the visitor leaves', async () => {
    await using aside = world.aside()
    const { page, batches } = await open(aside)
    const { promise: release, resolve: goOn } = Promise.withResolvers<void>()
    aside.front.disturbance = ({ method }) => (method === 'POST' ? release.then(() => null) : null)
    await page.evaluate(() => svc('track', 'slow'))
    await happens('the batch', () => batches().length === 2)
    await page.reload()
    goOn()
    await settled(page)
    expect(batches().flatMap(namesIn)).toEqual(['opened', 'slow'])
  })

  test.concurrent('keeps a leaving visitor to the time that the box asked for', async () => {
    await using aside = world.aside()
    const { page, batches } = await open(aside)
    let refusals = 1
    aside.front.disturbance = ({ method }) => (method === 'POST' && refusals-- > 0 ? refusal(429, '600') : null)
    await page.evaluate(() => svc('track', 'failed'))
    await happens('the refusal', () => batches().some(({ status }) => status === 429))
    // The page has it after the front has given it.
    await settled(page)
    await page.evaluate(() => svc('track', 'since'))
    await hide(page)
    await settled(page)
    expect(batches()).toHaveLength(2)
  })

  test.concurrent('sends the rest of a batch of which the box refuses one event', async () => {
    await using aside = world.aside()
    const { page, visitor, accepted } = await open(aside, true)
    await page.evaluate(() => {
      let deep = {}
      for (let level = 0; level < 80; level++) deep = { deep }
      svc('track', 'before')
      svc('track', 'refused', deep)
      svc('track', 'after')
    })
    await eventually('the rest', async () => {
      await page.clock.runFor(5_000)
      return accepted().flatMap(namesIn).length === 3
    })
    expect(accepted().flatMap(namesIn).sort()).toEqual(['after', 'before', 'opened'])
    await happens('a notice', () => visitor.notices.some((notice) => notice.includes('Events lost')))
  })

  test.concurrent('does without a network until there is one, however long it takes', async () => {
    await using aside = world.aside()
    const { page, visitor, batches, accepted } = await open(aside, true)
    await visitor.context.setOffline(true)
    await page.evaluate(() => svc('track', 'in the tunnel'))
    await page.clock.runFor(300_000)
    expect(batches()).toHaveLength(1)
    await visitor.context.setOffline(false)
    await happens('the event', () => accepted().length === 2)
    expect(visitor.notices.filter((notice) => notice.includes('lost'))).toEqual([])
  })

  test.concurrent('asks a visitor who does not answer ever more rarely, not while the page is hidden, and soon after a click', async () => {
    await using aside = world.aside()
    const { page, accepted } = await open(aside, true)
    const asked = () => page.evaluate(() => Reflect.get(window, 'asked'))
    await page.evaluate(() => {
      Object.assign(window, {
        asked: 0,
        svcConsent: () => {
          window.asked++
        },
      })
      svc('track', 'waits')
    })
    await page.clock.runFor(600_000)
    const inTenMinutes = await asked()
    expect(inTenMinutes).toBeGreaterThan(5)
    expect(inTenMinutes).toBeLessThan(25)
    await hide(page)
    await page.clock.runFor(120_000)
    const whenHidden = await asked()
    await page.clock.runFor(600_000)
    expect(await asked()).toBe(whenHidden)
    await show(page)
    await page.clock.runFor(300_000)
    await page.evaluate(() => addEventListener('click', () => Object.assign(window, { svcConsent: true })))
    await page.mouse.click(1, 1)
    await page.clock.runFor(2_000)
    await happens('the event', () => accepted().length === 2)
  })

  test.concurrent('keeps to itself what the box would refuse, so that the rest of the batch arrives', async () => {
    await using aside = world.aside()
    const { page, visitor, accepted } = await open(aside)
    await page.evaluate(() => {
      for (const name of [undefined, null, '', 7, ['list'], 'x'.repeat(201)]) svc('track', name)
      svc('track', '🙂'.repeat(200))
      for (const traits of [null, undefined, 'ada@example.test']) svc('identify', traits)
      svc('track', 'last', null)
    })
    await happens('the others', () => accepted().length === 2)
    expect(accepted().flatMap(namesIn).slice(1)).toEqual(['🙂'.repeat(200), 'last'])
    expect(visitor.notices).toEqual([
      'warning: [svc] Event not sent: its name has 1 to 200 characters',
      `warning: [svc] Event "$identify" not sent: properties and traits are objects, such as { plan: 'pro' }`,
    ])
    expect(visitor.errors).toEqual([])
  })
})

const namesIn = ({ body }: Seen): string[] => JSON.parse(body).events.map(({ event }: { event: string }) => event)

const happens = (what: string, holds: () => boolean): Promise<void> => eventually(what, async () => holds())

/** What the front has seen by now. */
interface Batches {
  batches: () => Seen[]
  accepted: () => Seen[]
}

/** An answer of the box to the customer's website. */
const refusal = (status: number, retryAfter?: string): Response =>
  new Response('{"error":{"code":"unavailable","message":"As a test wants it."}}', {
    status,
    headers: {
      'access-control-allow-origin': website,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'Retry-After',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
  })

declare const svc: (...command: unknown[]) => void

declare global {
  interface Window {
    asked: number
  }
}
