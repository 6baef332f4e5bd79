// Spec, "Landing page: `GET /<slug>`", rules 1, 3 and 5, and the identity cookie of "Authentication".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { cookieHeaderOf, deviceOf, setCookieOf } from '../harness/cookies.ts'
import { eventually } from '../harness/eventually.ts'
import type { Answer } from '../harness/http.ts'
import { pageViewsOf, settledPageViews } from '../harness/page-views.ts'
import { visit } from '../harness/visits.ts'

const launch = '<!doctype html><title>Launch</title>'
const files = { 'pages/launch.html': launch, 'pages/other.html': '<title>Other</title>' }

let box: Box

beforeAll(async () => {
  const acme = aSite({ files, home: 'launch', domains: ['go.acme.test', 'alias.acme.test'], forms: [aForm()] })
  const bold = aSite({ account: 'bold', files })
  box = await Box.start([acme, bold], { server: { trusted_proxies: ['127.0.0.1/32'] } })
}, boxStartMsMax)

afterAll(() => box.stop())

const withCookie = (cookie: string, headers: Record<string, string> = {}) => ({ headers: { ...headers, cookie } })

describe('the identity cookie', () => {
  test('is minted for a visitor without one, for 400 days, out of reach of scripts', async () => {
    expect(setCookieOf(await box.send(visit('/launch')))).toEqual({
      name: 'svc_id',
      value: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[A-Za-z0-9._-]+$/),
      attributes: ['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Lax'],
    })
  })

  test('over HTTPS is bound to the host and secure', async () => {
    expect(setCookieOf(await box.send(visit('/launch', { headers: { 'x-forwarded-proto': 'https' } })))).toMatchObject({
      name: '__Host-svc_id',
      attributes: ['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Lax', 'Secure'],
    })
  })

  test('names another device for every visitor', async () => {
    const values = [await box.send(visit('/launch')), await box.send(visit('/launch'))]
      .map(cookieHeaderOf)
      .map(deviceOf)
    expect(new Set(values).size).toBe(2)
  })

  test.each(['/launch', '/other', '/'])('that is valid is not set again: %s', async (path) => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch')))
    expect(setCookieOf(await box.send(visit(path, withCookie(cookie))))).toBeNull()
  })

  test.each([
    ['another domain of the account', visit('/launch', { host: 'alias.acme.test' })],
    ['the port it came to', visit('/launch', { host: 'go.acme.test:8443' })],
  ])('is valid on %s', async (_where, request) => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch')))
    expect(setCookieOf(await box.send({ ...request, headers: { ...request.headers, cookie } }))).toBeNull()
  })

  test('is found among other cookies', async () => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch')))
    expect(setCookieOf(await box.send(visit('/launch', withCookie(`a=1; ${cookie}; xsvc_id=2`))))).toBeNull()
  })

  test('of plain HTTP counts for nothing over HTTPS, where any subdomain could have set it', async () => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch')))
    const answer = await box.send(visit('/launch', withCookie(cookie, { 'x-forwarded-proto': 'https' })))
    expect(setCookieOf(answer)).toMatchObject({ name: '__Host-svc_id' })
  })

  test('that was made before the key was rotated goes on being valid', async () => {
    const before = cookieHeaderOf(await box.send(visit('/launch')))
    expect((await box.run(['secret', 'rotate', 'cookie'])).status).toBe(0)
    await eventually('the new key signs', async () => {
      const after = cookieHeaderOf(await box.send(visit('/launch')))
      return after.split('.')[1] !== before.split('.')[1]
    })
    expect(setCookieOf(await box.send(visit('/launch', withCookie(before))))).toBeNull()
  })

  const uuid = '01930000-0000-7000-8000-000000000000'
  const changed = (cookie: string, at: number) => {
    const letter = cookie[at] === 'a' ? 'b' : 'a'
    return cookie.slice(0, at) + letter + cookie.slice(at + 1)
  }
  const forgeries: [what: string, forge: (cookie: string) => string][] = [
    ['without a MAC', () => `svc_id=${uuid}`],
    ['with an invented MAC', () => `svc_id=${uuid}.abcd.${'A'.repeat(43)}`],
    ['for another device', (cookie) => cookie.replace(deviceOf(cookie), uuid)],
    ['with a changed device', (cookie) => changed(cookie, 'svc_id='.length)],
    ['with a changed MAC', (cookie) => changed(cookie, cookie.length - 5)],
    ['with a changed last character', (cookie) => changed(cookie, cookie.length - 1)],
    ['with a shorter MAC', (cookie) => cookie.slice(0, -1)],
    ['with a longer MAC', (cookie) => `${cookie}A`],
    ['in capitals', (cookie) => `svc_id=${deviceOf(cookie).toUpperCase()}${cookie.slice(7 + 36)}`],
    ['under the HTTPS name', (cookie) => `__Host-${cookie}`],
    ['that is empty', () => 'svc_id='],
    ['that is no UUID', () => `svc_id=${'x'.repeat(36)}.abcd.${'A'.repeat(43)}`],
  ]

  test.each(forgeries)('%s is answered with a new device', async (_what, forge) => {
    const genuine = cookieHeaderOf(await box.send(visit('/launch')))
    const forged = forge(genuine)
    const minted = cookieHeaderOf(await box.send(visit('/launch', withCookie(forged))))
    expect([deviceOf(genuine), deviceOf(forged)]).not.toContain(deviceOf(minted))
  })

  test("of another account's domain is answered with a new device", async () => {
    const foreign = cookieHeaderOf(await box.send(visit('/launch', { account: 'bold' })))
    const minted = cookieHeaderOf(await box.send(visit('/launch', withCookie(foreign))))
    expect(deviceOf(minted)).not.toBe(deviceOf(foreign))
  })

  test('and the page come without any consent', async () => {
    // The account's posture is "no tracking before opt-in", and the visitor says no by every signal there is.
    const answer = await box.send(visit('/launch?no-consent=1', { headers: { dnt: '1', 'sec-gpc': '1' } }))
    expect(setCookieOf(answer)).not.toBeNull()
    const [view] = await pageViewsOf(box, 'no-consent', 1)
    expect(view).toMatchObject({ consent: 'not_required' })
  })

  test('ties a submission and an event to the device of the page view', async () => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch?tied=1')))
    await box.send(formRequest({ headers: { cookie }, fields: { marker: 'tied' } }))
    await box.send(eventRequest({ headers: { cookie, 'x-svc-consent': null }, events: [{ event: 'tied' }] }))
    const [view] = await pageViewsOf(box, 'tied=1', 1)
    const event = (await box.events()).find((candidate) => candidate.event === 'tied')
    const submission = (await box.submissions()).find(({ fields }) => fields.marker === 'tied')
    expect([view?.deviceId, event?.deviceId, submission?.deviceId]).toEqual(Array(3).fill(deviceOf(cookie)))
    expect(event?.consent).toBe('cookie')
  })
})

describe('the page view', () => {
  test('is recorded at the edge with what the request says', async () => {
    const headers = { referer: 'https://search.test/?q=press&email=ada@example.test', 'user-agent': 'Tester/1.0' }
    const answer = await box.send(visit('/launch?view=recorded', { headers }))
    const [view] = await pageViewsOf(box, 'view=recorded', 1)
    expect(view).toMatchObject({
      event: '$pageview',
      origin: 'edge',
      deviceId: deviceOf(cookieHeaderOf(answer)),
      consent: 'not_required',
      test: false,
      source: {
        ip: '127.0.0.1',
        userAgent: 'Tester/1.0',
        origin: null,
        referer: 'https://search.test/?q=press',
        host: 'go.acme.test',
      },
    })
  })

  test('names the slug, the path, the host and the address', async () => {
    await box.send(visit('/launch?view=named'))
    const [view] = await pageViewsOf(box, 'view=named', 1)
    expect(view?.properties).toMatchObject({
      slug: 'launch',
      path: '/launch',
      host: 'go.acme.test',
      url: 'http://go.acme.test/launch?view=named',
    })
  })

  test('of `/` names the home’s slug, and the path that was asked', async () => {
    await box.send(visit('/?view=home'))
    const [view] = await pageViewsOf(box, 'view=home', 1)
    expect(view?.properties).toMatchObject({ slug: 'launch', path: '/' })
  })

  test('has the scheme, host and port that a trusted proxy says', async () => {
    const headers = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'alias.acme.test:8443',
      'x-forwarded-for': '198.51.100.7',
    }
    await box.send(visit('/launch?view=proxied', { headers }))
    const [view] = await pageViewsOf(box, 'view=proxied', 1)
    expect(view).toMatchObject({
      properties: { url: 'https://alias.acme.test:8443/launch?view=proxied', host: 'alias.acme.test:8443' },
      source: { ip: '198.51.100.7', host: 'alias.acme.test' },
    })
  })

  test('has its campaign parameters lifted out, and nothing personal left in', async () => {
    const query =
      'view=cleaned&UTM_Source=Mail&utm_medium=news&gclid=Cj0KCQ&email=zoe%40example.test&ref=%2B49+170+1234567'
    await box.send(visit(`/launch?${query}`))
    const [view] = await pageViewsOf(box, 'view=cleaned', 1)
    expect(view).toMatchObject({
      properties: { url: 'http://go.acme.test/launch?view=cleaned' },
      attribution: { utm_source: 'Mail', utm_medium: 'news', gclid: 'Cj0KCQ' },
    })
    expect(JSON.stringify(view)).not.toMatch(/zoe|170.{1,3}1234567/)
  })

  test('is recorded once a request', async () => {
    await box.send(visit('/launch?view=once'))
    expect(await pageViewsOf(box, 'view=once', 1)).toHaveLength(1)
  })

  test('of the same device again is another one', async () => {
    const cookie = cookieHeaderOf(await box.send(visit('/launch?view=again')))
    await box.send(visit('/launch?view=again', withCookie(cookie)))
    const views = await pageViewsOf(box, 'view=again', 2)
    expect(views.map(({ deviceId }) => deviceId)).toEqual([deviceOf(cookie), deviceOf(cookie)])
  })

  test('is recorded for a 304 too, and the cookie set with it', async () => {
    const etag = `"${createHash('sha256').update(launch).digest('hex')}"`
    const answer = await box.send(visit('/launch?view=304', { headers: { 'if-none-match': etag } }))
    expect(answer.status).toBe(304)
    const [view] = await pageViewsOf(box, 'view=304', 1)
    expect(view?.deviceId).toBe(deviceOf(cookieHeaderOf(answer)))
  })

  test('is the account’s own, and no other’s', async () => {
    await box.send(visit('/launch?view=bolds', { account: 'bold' }))
    await pageViewsOf(box, 'view=bolds', 1, 'bold')
    const ours = await settledPageViews(box, '/other')
    expect(ours.filter(({ properties }) => String(properties.url).includes('bolds'))).toEqual([])
  })
})

describe('no page view and no cookie comes of', () => {
  const unseen: [what: string, ask: (mark: string) => Promise<Answer>][] = [
    ['HEAD', (mark) => box.send(visit(`/launch?${mark}`, { method: 'HEAD' }))],
    ['a prefetch', (mark) => box.send(visit(`/launch?${mark}`, { headers: { 'sec-purpose': 'prefetch' } }))],
    ['a prerender', (mark) => box.send(visit(`/launch?${mark}`, { headers: { 'sec-purpose': 'prefetch;prerender' } }))],
    ['an unknown page', (mark) => box.send(visit(`/unknown?${mark}`))],
    ['POST', (mark) => box.send(visit(`/launch?${mark}`, { method: 'POST' }))],
    ['the runtime configuration', (mark) => box.send(visit(`/_svc/rc?${mark}`))],
    ['the script', (mark) => box.send(visit(`/_svc/v1.js?${mark}`))],
    ['another host', (mark) => box.send(visit(`/launch?${mark}`, { host: 'elsewhere.test' }))],
  ]

  test.each(unseen)('%s', async (what, ask) => {
    const mark = `unseen=${what.replaceAll(' ', '-')}`
    expect((await ask(mark)).headers.getSetCookie()).toEqual([])
    const views = await settledPageViews(box, '/other')
    expect(views.filter(({ properties }) => String(properties.url).includes(mark))).toEqual([])
  })

  test('a prefetch, which still gets the page', async () => {
    const answer = await box.send(visit('/launch', { headers: { 'sec-purpose': 'prefetch' } }))
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: launch })
  })
})
