// docs/splits.md: visitors of one address get one version of a page, and keep it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { type ASite, aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { cookieHeaderOf, setCookieOf } from '../harness/cookies.ts'
import { eventually } from '../harness/eventually.ts'
import { pageViewsOf } from '../harness/page-views.ts'
import { visit } from '../harness/visits.ts'

const html = (title: string) => `<!doctype html><title>${title}</title>`
const files = {
  'pages/launch.html': html('A'),
  'pages/launch-b.html': html('B'),
  'pages/other.html': html('Other'),
}
const site = (share: number, overrides: Partial<ASite> = {}) =>
  aSite({
    files,
    home: 'launch',
    forms: [aForm()],
    store_ip: 'none',
    splits: [{ page: 'launch', variants: [{ name: 'b', page: 'launch-b', share }] }],
    ...overrides,
  })

let box: Box

beforeAll(async () => {
  const whole = { page: 'launch', variants: [{ name: 'b', page: 'launch-b', share: 100 }] }
  const bold = site(100, { account: 'bold', splits: [whole, { ...whole, page: 'other' }] })
  const { home: _, ...plain } = site(100, { account: 'plain' })
  box = await Box.start([site(50), bold, plain], { server: { trusted_proxies: ['127.0.0.1/32'] } })
}, boxStartMsMax)

afterAll(() => box.stop())

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
})

const variantIn = (text: string): string => (text === html('B') ? 'b' : text === html('A') ? 'a' : text)

/** An address whose visitors without a cookie get that version today. */
async function addressOf(variant: string): Promise<string> {
  for (let last = 1; last < 255; last++) {
    const address = `198.51.100.${last}`
    if (variantIn((await box.send(visit('/launch', from(address)))).text) === variant) return address
  }
  throw new Error(`no address gets ${variant}`)
}

describe('a split page', () => {
  test('divides visitors by their addresses', async () => {
    const shown = await Promise.all(
      Array.from({ length: 200 }, async (_, index) =>
        variantIn((await box.send(visit('/launch', from(`203.0.113.${index + 1}`)))).text),
      ),
    )
    const count = shown.filter((variant) => variant === 'b').length
    expect(count).toBeGreaterThan(60)
    expect(count).toBeLessThan(140)
  })

  test.each(['a', 'b'])('shows %s again to its visitor, who has a cookie by then, wherever from', async (variant) => {
    const address = await addressOf(variant)
    for (let visitor = 0; visitor < 5; visitor++) {
      const first = await box.send(visit('/launch', from(address)))
      const again = await box.send(visit('/launch', from('192.0.2.77', { cookie: cookieHeaderOf(first) })))
      expect([first, again].map(({ text }) => variantIn(text))).toEqual([variant, variant])
    }
  })

  test.each(['a', 'b'])('shows %s again to whoever refuses cookies', async (variant) => {
    const address = await addressOf(variant)
    expect(variantIn((await box.send(visit('/', from(address)))).text)).toBe(variant)
  })

  test('shows prefetching browsers what they will see, and sets no cookie', async () => {
    const answer = await box.send(visit('/launch', from(await addressOf('b'), { 'sec-purpose': 'prefetch' })))
    expect([variantIn(answer.text), setCookieOf(answer)]).toEqual(['b', null])
  })

  test.each(['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', null])(
    'shows the page itself to programs: %s',
    async (agent) => {
      const address = await addressOf('b')
      const answer = await box.send(visit('/launch', { headers: { 'x-forwarded-for': address, 'user-agent': agent } }))
      expect(variantIn(answer.text)).toBe('a')
    },
  )

  test('answers 304 only to whoever has the version that is shown', async () => {
    const tags = { a: etagOf('A'), b: etagOf('B') }
    const address = await addressOf('b')
    const statusFor = async (tag: string) =>
      (await box.send(visit('/launch', from(address, { 'if-none-match': tag })))).status
    expect([await statusFor(tags.b), await statusFor(tags.a)]).toEqual([304, 200])
  })

  test('is kept by no cache between', async () => {
    const { headers } = await box.send(visit('/launch', from(await addressOf('b'))))
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['private, no-cache', etagOf('B')])
  })

  test('answers HEAD as GET', async () => {
    const { headers } = await box.send(visit('/launch', { method: 'HEAD', ...from(await addressOf('b')) }))
    expect(headers.get('etag')).toBe(etagOf('B'))
  })

  test('leaves its variant at its own address', async () => {
    expect((await box.send(visit('/launch-b', from(await addressOf('a'))))).text).toBe(html('B'))
  })
})

const etagOf = (title: string): string => `"${createHash('sha256').update(html(title)).digest('hex')}"`

describe('a record', () => {
  const referer = 'http://go.acme.test/launch?utm_source=mail'

  test.each(['a', 'b'])('of a view has the version %s', async (variant) => {
    const mark = `view-${variant}`
    await box.send(visit(`/launch?m=${mark}`, from(await addressOf(variant))))
    const [view] = await pageViewsOf(box, mark, 1)
    expect(view).toMatchObject({ properties: { slug: 'launch' }, source: { split: 'launch', variant, ip: null } })
  })

  test.each(['/other', '/launch-b'])('of a view of %s has none', async (path) => {
    await box.send(visit(`${path}?m=plain`, from('198.51.100.1')))
    const [view] = await pageViewsOf(box, `${path}?m=plain`, 1)
    expect(view?.source).toMatchObject({ split: null, variant: null })
  })

  test('of a declared program has none', async () => {
    const agent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
    await box.send(visit('/launch?m=crawl', from(await addressOf('b'), { 'user-agent': agent })))
    expect((await pageViewsOf(box, 'm=crawl', 1))[0]?.source.variant).toBeNull()
  })

  async function submitted(headers: Record<string, string>): Promise<unknown> {
    const id = submissionIdOf(await box.send(formRequest({ headers })))
    return (await box.submissions()).find(({ submissionId }) => submissionId === id)?.source.variant
  }

  test.each(['a', 'b'])('of a form without a cookie has the version of address and day: %s', async (variant) => {
    expect(await submitted({ 'x-forwarded-for': await addressOf(variant), referer })).toBe(variant)
  })

  test.each(['a', 'b'])('of a form with a cookie has the version of the device: %s', async (variant) => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch', from(await addressOf(variant)))))
    expect(await submitted({ 'x-forwarded-for': '192.0.2.9', cookie, referer })).toBe(variant)
  })

  test('of a form on the home page has the version of that page', async () => {
    const address = await addressOf('b')
    expect(await submitted({ 'x-forwarded-for': address, referer: 'https://go.acme.test/' })).toBe('b')
  })

  test.each(['https://go.acme.test/other', 'https://www.acme.test/launch', 'nonsense'])(
    'of a form that was sent from %s has none',
    async (elsewhere) => {
      expect(await submitted({ 'x-forwarded-for': await addressOf('b'), referer: elsewhere })).toBeNull()
    },
  )

  test.each(['a', 'b'])('of a form on another page has the version that its visit was shown: %s', async (variant) => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch', from(await addressOf(variant)))))
    const headers = { cookie, referer: 'https://go.acme.test/other' }
    const id = submissionIdOf(await box.send(formRequest({ headers })))
    const sourceOf = async () => (await box.submissions()).find(({ submissionId }) => submissionId === id)?.source
    await eventually('it is processed', async () => (await sourceOf())?.variant === variant)
    expect(await sourceOf()).toMatchObject({ split: 'launch', variant })
  })

  test('of a form whose page keeps its address to itself has the version of the device', async () => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch', from(await addressOf('b')))))
    expect([await submitted({ cookie }), await submitted({})]).toEqual(['b', null])
  })

  test('of a form whose page names only its origin has the version of the device, where no page is home', async () => {
    const sent = async (cookie: string) => {
      const headers = { cookie, referer: 'http://go.plain.test/' }
      const id = submissionIdOf(await box.send(formRequest({ account: 'plain', headers })))
      return (await box.submissions('plain')).find(({ submissionId }) => submissionId === id)?.source.variant
    }
    const seen = await box.send(visit('/launch', { account: 'plain' }))
    expect([await sent(cookieHeaderOf(seen)), await sent('')]).toEqual(['b', null])
  })

  test('of events has the version of the page that they come from', async () => {
    const headers = { 'x-forwarded-for': await addressOf('b'), referer }
    const events = [{ event: 'first_of_split' }, { event: 'second_of_split' }]
    expect((await box.send(eventRequest({ headers, events }))).status).toBe(202)
    const stored = (await box.events()).filter(({ event }) => event.endsWith('_of_split'))
    expect(stored.map(({ source }) => source.variant)).toEqual(['b', 'b'])
  })

  test.each(['a', 'b'])('of an event on another page has the version that its visit was shown: %s', async (variant) => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch', from(await addressOf(variant)))))
    const event = `thanked_${variant}`
    await box.send(eventRequest({ headers: { cookie, referer: 'https://go.acme.test/other' }, events: [{ event }] }))
    const sourceOf = async () => (await box.events()).find((record) => record.event === event)?.source
    await eventually('it is processed', async () => (await sourceOf())?.variant === variant)
    expect(await sourceOf()).toMatchObject({ split: 'launch', variant })
  })

  test('has columns for split and version in CSV', async () => {
    const { stdout } = await box.run(['export', 'acme', 'submissions', '--format', 'csv'])
    expect(stdout.split('\n')[0]).toContain('source.split,source.variant')
  })
})

describe('a split whose variant', () => {
  test('is live shows it to everybody with a share of 100, on both of its pages', async () => {
    const shown = await Promise.all(
      ['/launch', '/other'].map(async (path) => (await box.send(visit(path, { account: 'bold' }))).text),
    )
    expect(shown.map(variantIn)).toEqual(['b', 'b'])
  })

  test('is moved to preview rests until it is live again', async () => {
    expect((await box.run(['page', 'unpublish', 'bold', 'launch-b'])).status).toBe(0)
    await eventually('everybody gets the page itself', () => isShown('a'))
    await box.send(visit('/launch?m=rests', { account: 'bold' }))
    expect((await pageViewsOf(box, 'm=rests', 1, 'bold'))[0]?.source.variant).toBeNull()
    expect((await box.run(['page', 'publish', 'bold', 'launch-b'])).status).toBe(0)
    await eventually('the variant is shown again', () => isShown('b'))
  })

  const isShown = async (variant: string) =>
    variantIn((await box.send(visit('/launch', { account: 'bold' }))).text) === variant
})
