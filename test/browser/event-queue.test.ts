// Contract section 7, Sending, where several things come together: a hidden page, a refusal, an event that is none.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import type { Seen } from './harness/front.ts'
import { hide, show } from './harness/hide.ts'
import { pageWith } from './harness/pages.ts'
import type { Visitor } from './harness/visitor.ts'
import { testMsMax, World, waitMsMax, worldStartMsMax } from './harness/world.ts'

setDefaultTimeout(testMsMax)

const website = 'https://www.acme.test'

describe.skipIf(!hasChromium)('the queue of events', () => {
  let world: World
  let visitor: Visitor

  beforeAll(async () => {
    const tracking = { key: trackingKeyOf('acme'), auto_pageview: false }
    world = await World.start([aSite({ tracking })])
  }, worldStartMsMax)
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const batches = (): Seen[] => world.front.seen('POST', '/_svc/e')
  const namesIn = ({ body }: Seen): string[] => JSON.parse(body).events.map(({ event }: { event: string }) => event)
  const accepted = () => batches().filter(({ status }) => status === 202)
  const happens = (what: string, holds: () => boolean) => eventually(what, waitMsMax, async () => holds())

  /** A page whose visitor has said yes, and whose first batch was accepted: the queue knows its configuration. */
  async function open(): Promise<Page> {
    world.front.put(`${website}/home`, pageWith({ head: '<script>svcConsent = true</script>' }))
    visitor = await world.visitor()
    const page = await visitor.open(`${website}/home`)
    await page.evaluate(() => svc('track', 'opened'))
    await happens('the first batch', () => accepted().length === 1)
    return page
  }

  test('waits as long as the box asks for, also when a shorter wait began before the page was hidden', async () => {
    const page = await open()
    let refusals = 1
    world.front.disturbance = ({ method }) => (method === 'POST' && refusals-- > 0 ? refusal(429, '8') : null)
    await page.evaluate(() => svc('track', 'second'))
    await hide(page)
    await happens('the second try', () => accepted().length === 2)
    const [, refused, again] = batches()
    expect((again?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThan(7_900)
    expect(again?.body).toBe(String(refused?.body))
  })

  test('loses nothing of what a hidden page sent at once while the box was away', async () => {
    const page = await open()
    world.front.disturbance = ({ method }) => (method === 'POST' ? refusal(503) : null)
    await page.evaluate(() => {
      for (let index = 0; index < 100; index++) svc('track', `event_${index}`)
    })
    await hide(page)
    await happens('five refusals', () => batches().filter(({ status }) => status === 503).length === 5)
    world.front.disturbance = () => null
    await happens('the next try', () => accepted().length === 2)
    await show(page)
    await hide(page)
    await happens('the rest', () => accepted().length === 6)
    const names = accepted().slice(1).flatMap(namesIn)
    expect(names.sort()).toEqual(Array.from({ length: 100 }, (_, index) => `event_${index}`).sort())
    expect(visitor.notices.filter((notice) => notice.includes('lost'))).toEqual([])
  })

  test('keeps to itself what the box would refuse, so that the rest of the batch arrives', async () => {
    const page = await open()
    await page.evaluate(() => {
      for (const name of [undefined, null, '', 7, ['list'], 'x'.repeat(201)]) svc('track', name)
      svc('track', '🙂'.repeat(200))
      for (const traits of [null, undefined, 'ada@example.test']) svc('identify', traits)
      svc('track', 'last', null)
    })
    await happens('the others', () => accepted().length === 2)
    expect(accepted().flatMap(namesIn).slice(1)).toEqual([
      '🙂'.repeat(200),
      ...['$identify', '$identify', '$identify', 'last'],
    ])
    expect(visitor.notices).toEqual(['warning: [svc] Event name: 1 to 200 characters'])
    expect(visitor.errors).toEqual([])
  })
})

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
