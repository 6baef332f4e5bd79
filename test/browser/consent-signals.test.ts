// docs/script.md, "Consent": each posture with each form of the signal, by the browser's own records.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { hide } from './harness/hide.ts'
import { pageWith } from './harness/pages.ts'
import { storedBy, type Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

/** Each of them as a value, and as what a function returns. */
const withFunctions = (values: string[]) => [...values, ...values.map((value) => `() => (${value})`)]

const yes = withFunctions(['true', '"granted"', '{ granted: true }'])
const no = withFunctions(['false', '"denied"', '{ granted: false }'])
const silence = [
  ...withFunctions(['undefined', 'null', '1', '0', '""', '"true"', '"yes"', '"GRANTED"', '{}', '{ granted: 1 }']),
  ...['[]', '[true]', 'Promise.resolve(true)', 'async () => true', '() => () => true', '() => { throw "not yet" }'],
]

/** Two accounts that differ in their posture alone. */
const postures = [
  { account: 'asks', require_opt_in: true },
  { account: 'open', require_opt_in: false },
] as const
type Account = (typeof postures)[number]['account'] | 'named'

describe.skipIf(!hasChromium)('a consent signal', () => {
  let world: World

  beforeAll(async () => {
    const site = ({ account, require_opt_in }: (typeof postures)[number]) =>
      aSite({ account, tracking: { key: trackingKeyOf(account), require_opt_in, auto_pageview: false } })
    const tracking = { key: trackingKeyOf('named'), auto_pageview: false, consent_signal: 'theirBanner' }
    world = await World.start([...postures.map(site), aSite({ account: 'named', tracking })])
  })
  afterAll(() => world.stop())

  /** What the browser itself says it has posted, and where to: its own record, not the server's. */
  async function recordedVisitor(): Promise<{ visitor: Visitor; posts: Post[] }> {
    const visitor = await world.visitor()
    const posts: Post[] = []
    visitor.context.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() !== 'POST') return
      const events: SentEvent[] = JSON.parse(request.postData() ?? '{}').events ?? []
      const consent = request.headers()['x-svc-consent'] ?? null
      posts.push(...events.map(({ properties }) => ({ path: pathname, signal: properties.signal, consent })))
    })
    return { visitor, posts }
  }

  /**
   * A page whose signal is this, that has tracked an event and holds all it needs.
   * @param answers What the page then tells `svc("consent")`, before the event's time has come.
   */
  async function openWith(visitor: Visitor, account: Account, signal: string, answers: Answer[] = []): Promise<Page> {
    const url = `https://www.${account}.test/${encodeURIComponent(signal)}`
    const head = `<script>svcConsent = ${signal}</script>`
    world.front.put(url, pageWith({ scriptFrom: `https://go.${account}.test`, account, head }))
    const page = await visitor.context.newPage()
    const arrivals = ['/_svc/rc', '/_svc/e.js'].map((path) =>
      page.waitForResponse((response) => response.url().includes(path)),
    )
    await page.goto(url)
    for (const arrival of arrivals) await (await arrival).finished()
    await page.evaluate(trackAndAnswer, { signal, answers })
    return page
  }

  const openAll = (visitor: Visitor, account: Account, signals: string[]): Promise<Page[]> =>
    Promise.all(signals.map((signal) => openWith(visitor, account, signal)))

  // Each asks its own visitors' browsers what they have sent, so that they can run side by side.
  describe.each(postures)(
    'of a visitor to the account "$account" (opt-in required: $require_opt_in)',
    ({ account }) => {
      afterAll(() => world.clear())

      test.concurrent('that is a yes, in whatever form, sends events with the claim of consent', async () => {
        const { visitor, posts } = await recordedVisitor()
        await openAll(visitor, account, yes)
        await eventually('all are sent', async () => posts.length === yes.length)
        expect(posts.map(({ signal }) => signal).sort()).toEqual([...yes].sort())
        expect(new Set(posts.map(({ consent }) => consent))).toEqual(new Set(['granted']))
        expect(visitor.errors).toEqual([])
      })

      test.concurrent('that is a no, in whatever form, leaves no trace', async () => {
        const { visitor, posts } = await recordedVisitor()
        await expectNoTrace(visitor, posts, await openAll(visitor, account, no))
      })

      test.concurrent('that says yes is overridden by svc("consent", false)', async () => {
        const { visitor, posts } = await recordedVisitor()
        const pages = ['true', '() => "granted"'].map((signal) => openWith(visitor, account, signal, [false]))
        await expectNoTrace(visitor, posts, await Promise.all(pages))
      })

      test.concurrent('is not made a yes by svc("consent") with a no in another form', async () => {
        const { visitor, posts } = await recordedVisitor()
        const pages = [
          openWith(visitor, account, 'true', ['denied']),
          openWith(visitor, account, '() => "granted"', [{ granted: false }]),
        ]
        await expectNoTrace(visitor, posts, await Promise.all(pages))
      })

      test.concurrent('that says no is overridden by svc("consent", true)', async () => {
        const { visitor, posts } = await recordedVisitor()
        await Promise.all(no.map((signal) => openWith(visitor, account, signal, [true])))
        await eventually('all are sent', async () => posts.length === no.length)
        expect(new Set(posts.map(({ consent }) => consent))).toEqual(new Set(['granted']))
      })
    },
  )

  test('that is anything else is no yes where opt-in is required: no trace', async () => {
    const { visitor, posts } = await recordedVisitor()
    await expectNoTrace(visitor, posts, await openAll(visitor, 'asks', silence))
    expect(visitor.errors).toEqual([])
  })

  test('that is anything else claims nothing where opt-in is not required: events are sent without it', async () => {
    const { visitor, posts } = await recordedVisitor()
    const spoken = silence.filter((signal) => !signal.includes('throw'))
    await openAll(visitor, 'open', spoken)
    await eventually('all are sent', async () => posts.length === spoken.length)
    expect(new Set(posts.map(({ consent }) => consent))).toEqual(new Set([null]))
  })

  test.concurrent('that throws holds events back, also where opt-in is not required', async () => {
    const { visitor, posts } = await recordedVisitor()
    await expectNoTrace(visitor, posts, await openAll(visitor, 'open', ['() => { throw "not yet" }']))
  })

  test.concurrent('that cannot be asked yet, since its banner has not loaded, is asked again', async () => {
    const { visitor, posts } = await recordedVisitor()
    const page = await openWith(visitor, 'asks', '() => banner.allows()')
    await eventually('it was asked', async () => visitor.notices.some((notice) => notice.includes('banner')))
    await page.evaluate(() => Object.assign(window, { banner: { allows: () => true } }))
    await eventually('it is sent', async () => posts.length === 1)
    expect(visitor.errors).toEqual([])
  })

  test.concurrent('has the name that the configuration gives it, and no other counts', async () => {
    const { visitor, posts } = await recordedVisitor()
    const page = await openWith(visitor, 'named', 'true')
    await letLeave([page])
    expect(posts).toEqual([])
    await page.evaluate(() => Object.assign(window, { theirBanner: 'granted' }))
    await eventually('it is sent', async () => posts.length > 0)
    expect(posts.map(({ consent }) => consent)).toEqual(['granted'])
  })

  /** Nothing left the browser, nothing stays in it, although the pages had every occasion to send. */
  async function expectNoTrace(visitor: Visitor, posts: Post[], pages: Page[]): Promise<void> {
    await letLeave(pages)
    // Whatever they might have sent is on its way before this.
    const { visitor: other, posts: otherPosts } = await recordedVisitor()
    await openWith(other, 'open', 'true')
    await eventually('the other visitor’s event', async () => otherPosts.length === 1)
    expect(posts).toEqual([])
    expect(await visitor.cookies()).toEqual([])
    expect((await Promise.all(pages.map(storedBy))).flat()).toEqual([])
  }
})

/** Hides the pages, which sends what may be sent without waiting for a timer. */
const letLeave = (pages: Page[]): Promise<unknown> => Promise.all(pages.map(hide))

/** In one go: between two calls of ours the event might leave. */
function trackAndAnswer({ signal, answers }: { signal: string; answers: Answer[] }): void {
  svc('track', 'seen', { signal })
  for (const answer of answers) svc('consent', answer)
}

/** What a page may tell the script of consent. */
type Answer = boolean | string | { granted: boolean }

interface SentEvent {
  properties: { signal: string }
}

/** One event that a browser posted. */
interface Post {
  path: string
  signal: string
  consent: string | null
}

declare const svc: (...command: unknown[]) => void
