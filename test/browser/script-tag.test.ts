// docs/script.md: however the script comes into a page, it works or says in one line what is missing.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { page } from './harness/front.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { settled } from './harness/settled.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const address = 'https://go.acme.test/_svc/v1.js'
const key = `data-site-key="${trackingKeyOf('acme')}"`
const website = 'https://www.acme.test/home'
const stub = `<script>
  svcConsent = true
  window.svc = window.svc || function () { (svc.q = svc.q || []).push(arguments) }
  svc('track', 'early')
</script>`

describe.skipIf(!hasChromium)('the script in a page', () => {
  let world: World

  beforeAll(async () => {
    const quiet = aSite({ account: 'quiet', tracking: { key: trackingKeyOf('quiet'), enabled: false } })
    const plain = aSite({ account: 'plain', tracking: { key: trackingKeyOf('plain'), auto_pageview: false } })
    world = await World.start([aSite({ domains: ['go.acme.test', 'www2.acme.test'] }), quiet, plain])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  async function open(head: string, url = website): Promise<{ page: Page; visitor: Visitor }> {
    world.front.put(url, pageWith({ scriptFrom: null, head }))
    const visitor = await world.visitor()
    return { page: await visitor.open(url), visitor }
  }
  const sent = () => world.front.seen('POST', '/_svc/e').flatMap(({ body }): SentEvent[] => JSON.parse(body).events)
  const namesSent = () => sent().map(({ event }) => event)
  const happens = (what: string, holds: () => boolean) => eventually(what, async () => holds())

  test.each([
    ['a plain one', `<script src="${address}" ${key}></script>`],
    ['one with a query', `<script src="${address}?v=2" ${key} defer></script>`],
    ['an async one', `<script src="${address}" ${key} async></script>`],
    ['a module', `<script type="module" src="${address}" ${key}></script>`],
    ['a module with a query', `<script type="module" src="${address}?v=2" ${key}></script>`],
    ['the same one twice', `<script src="${address}" ${key} defer></script>`.repeat(2)],
    [
      'one without a key, then one with it',
      `<script src="${address}" defer></script><script src="${address}" ${key} defer></script>`,
    ],
    [
      'two, from two domains of the account',
      `<script src="${address}" ${key} defer></script><script src="https://www2.acme.test/_svc/v1.js" ${key} defer></script>`,
    ],
    [
      'one that a script puts there',
      `<script>
      const tag = Object.assign(document.createElement('script'), { src: '${address}' })
      tag.dataset.siteKey = '${trackingKeyOf('acme')}'
      document.head.append(tag)
      tag.remove()
    </script>`,
    ],
  ])('works by %s: each event once, nothing said', async (_, tag) => {
    const { page, visitor } = await open(stub + tag)
    await page.evaluate(() => svc('track', 'late'))
    await happens('all of them', () => namesSent().length === 3)
    await settled(page)
    expect(namesSent().sort()).toEqual(['$pageview', 'early', 'late'])
    expect([...visitor.notices, ...visitor.errors]).toEqual([])
  })

  test.each([
    [
      'pasted into the page',
      () =>
        fetch('https://go.acme.test/_svc/v1.js').then(async (answer) => {
          document.head.append(Object.assign(document.createElement('script'), { textContent: await answer.text() }))
        }),
    ],
    ['imported', () => import('https://go.acme.test/_svc/v1.js' as string)],
    [
      'in a shadow root',
      () => {
        const script = Object.assign(document.createElement('script'), { src: 'https://go.acme.test/_svc/v1.js' })
        document.body.attachShadow({ mode: 'open' }).append(script)
      },
    ],
  ])('that is %s says that it needs a tag, and throws nothing', async (_, embed) => {
    const { page, visitor } = await open('')
    await page.evaluate(embed)
    await happens('a notice', () => visitor.notices.length > 0)
    expect(visitor.notices).toEqual(['warning: [svc] Not started: needs <script src="https://…/_svc/v1.js" defer>'])
    expect(visitor.errors).toEqual([])
  })

  const keyless = 'warning: [svc] No events: the script tag needs data-site-key, or site.toml auto_pageview = false'

  test('says once that page views need a key', async () => {
    const { page, visitor } = await open(`${stub}<script src="${address}" defer></script>`)
    await happens('a notice', () => visitor.notices.length > 0)
    await page.evaluate(() => svc('track', 'late'))
    await settled(page)
    expect(visitor.notices).toEqual([keyless])
    expect(sent()).toEqual([])
  })

  test('says nothing without a key where nobody asks for events, and says so to who does', async () => {
    const url = 'https://www.plain.test/home'
    const { page, visitor } = await open('<script src="https://go.plain.test/_svc/v1.js" defer></script>', url)
    await settled(page)
    expect(visitor.notices).toEqual([])
    await page.evaluate(() => svc('identify', { email: 'ada@acme.test' }))
    await happens('a notice', () => visitor.notices.length > 0)
    expect(visitor.notices).toEqual([keyless])
  })

  test('says that tracking is off, when there is an event', async () => {
    const tag = `<script src="https://go.quiet.test/_svc/v1.js" data-site-key="${trackingKeyOf('quiet')}" defer></script>`
    const url = 'https://www.quiet.test/home'
    const { visitor } = await open(stub + tag, url)
    await happens('a notice', () => visitor.notices.length > 0)
    expect(visitor.notices).toEqual([
      'warning: [svc] Events not sent: tracking is off. Set enabled = true under [tracking] in site.toml',
    ])
    world.front.reset()
    const { page, visitor: other } = await open(`<script>svcConsent = true</script>${tag}`, url)
    await page.waitForLoadState('networkidle')
    expect(other.notices).toEqual([])
  })

  test('works under a policy that names the connected domain alone, with Trusted Types', async () => {
    const policy = "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    const hosts = 'script-src https://go.acme.test https://www.acme.test; connect-src https://go.acme.test'
    const answer = pageWith({
      scriptFrom: null,
      head: `<script src="/signal.js"></script><script src="${address}" ${key} data-outbound defer></script>`,
      body: '<form data-svc-form="contact1"><button data-svc-event="pressed">Send</button></form>',
    })
    world.front.put(website, () => page(answer, { 'content-security-policy': `${policy}; ${hosts}` }))
    world.front.put(
      'https://www.acme.test/signal.js',
      () => new Response('svcConsent = true', { headers: { 'content-type': 'text/javascript' } }),
    )
    const visitor = await world.visitor()
    const shown = await visitor.open(website)
    await happens('the first view', () => namesSent().length === 1)
    await shown.getByRole('button').click()
    await shown.getByRole('status').getByText('Thank you').waitFor()
    await happens('the event', () => namesSent().includes('pressed'))
    expect([...visitor.notices, ...visitor.errors]).toEqual([])
  })

  test('names a form that is not registered before anybody sends it', async () => {
    const tag = `<script src="${address}" ${key} defer></script>`
    world.front.put(
      website,
      pageWith({ scriptFrom: null, head: tag, body: formMarkup({ id: 'unknown1' }) + formMarkup() }),
    )
    const visitor = await world.visitor()
    await visitor.open(website)
    await happens('a notice', () => visitor.notices.length > 0)
    expect(visitor.notices).toEqual(['warning: [svc] Form unknown1 is not registered in site.toml'])
  })

  test('asks again for a file that could not be had', async () => {
    let failures = 2
    world.front.disturbance = ({ path }) =>
      path.startsWith('/_svc/e.js') && failures-- > 0 ? new Response('Bad gateway', { status: 502 }) : null
    world.front.put(
      website,
      pageWith({ scriptFrom: null, head: `${stub}<script src="${address}" ${key} defer></script>` }),
    )
    const visitor = await world.visitor()
    await visitor.context.clock.install()
    const page = await visitor.open(website)
    await eventually('the events', async () => {
      await page.clock.runFor(1_000)
      return namesSent().length === 2
    })
    expect(world.front.seen('GET', '/_svc/e.js')).toHaveLength(3)
    expect(visitor.notices.filter((notice) => notice.includes('[svc]'))).toHaveLength(1)
  })

  test('says which file a policy keeps out, and goes on', async () => {
    const tag = `<script src="${address}" ${key} defer></script>`
    const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline' ${address}; connect-src *">`
    const { page, visitor } = await open(policy + stub + tag)
    const notice =
      'warning: [svc] Could not load https://go.acme.test/_svc/e.js: does the Content-Security-Policy allow it?'
    await happens('a notice', () => visitor.notices.includes(notice))
    await page.evaluate(() => svc('track', 'late'))
    expect(visitor.errors).toEqual([])
  })

  test('says in its own words what is wrong with a call, once, and throws nothing', async () => {
    const { page, visitor } = await open(
      `<script>svcConsent = true</script><script src="${address}" ${key} defer></script>`,
    )
    const thrown = await page.evaluate(() => {
      const circle: Record<string, unknown> = {}
      circle.self = circle
      const calls: unknown[][] = [
        [],
        ['nope'],
        ['toString'],
        [Symbol('name')],
        ['track'],
        ['track'],
        ['track', 'a string', 'pro'],
        ['track', 'a list', ['pro']],
        ['track', 'a circle', circle],
        ['track', 'a bigint', { id: 1n }],
        [
          'track',
          'a getter',
          {
            get id() {
              throw new Error('no')
            },
          },
        ],
        ['track', 'too large', { text: 'x'.repeat(8_000) }],
        ['identify'],
        ['identify', 'ada@acme.test'],
        ['consent', 'yes'],
        ['filter', null],
        ['submit'],
        ['submit', '#form'],
        [
          'track',
          'good',
          { when: new Date(0), nothing: undefined, symbol: Symbol('s'), none: null, map: new Map([[1, 2]]), nan: NaN },
        ],
      ]
      const errors: string[] = []
      for (const call of calls) {
        try {
          svc(...call)
        } catch (error) {
          errors.push(String(error))
        }
      }
      return errors
    })
    expect(thrown).toEqual([])
    await happens('the good one', () => namesSent().includes('good'))
    expect(sent().find(({ event }) => event === 'good')?.properties).toEqual({
      url: website,
      when: '1970-01-01T00:00:00.000Z',
      none: null,
      map: {},
      nan: null,
    })
    const notSent = (name: string, why: string) => `warning: [svc] Event "${name}" not sent: ${why}`
    const there = 'there are track, identify, consent, filter, submit'
    const noObject = "properties and traits are objects, such as { plan: 'pro' }"
    const noJson = 'JSON cannot hold it (cycle, BigInt)'
    expect(visitor.notices.toSorted()).toEqual(
      [
        `warning: [svc] No command 'Symbol(name)': ${there}`,
        `warning: [svc] No command 'nope': ${there}`,
        `warning: [svc] No command 'toString': ${there}`,
        `warning: [svc] No command 'undefined': ${there}`,
        'warning: [svc] Event not sent: its name has 1 to 200 characters',
        notSent('a string', noObject),
        notSent('a list', noObject),
        notSent('a circle', noJson),
        notSent('a bigint', noJson),
        notSent('a getter', noJson),
        notSent('too large', 'more than 7487 bytes'),
        notSent('$identify', noObject),
        "warning: [svc] svc('consent', …) takes true or false",
        "warning: [svc] svc('filter', …) takes a function",
        "warning: [svc] svc('submit', form) needs a form with data-svc-form",
      ].toSorted(),
    )
    expect(visitor.errors).toEqual([])
  })
})

interface SentEvent {
  event: string
  properties: Record<string, unknown>
}

declare const svc: (...command: unknown[]) => void
