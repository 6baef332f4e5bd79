// Spec, "CORS behaviour (capture paths)": every row of its table; docs/forms.md, "Errors".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, type Overrides } from '../harness/capture-requests.ts'
import { type Answer, corsHeaderNames, jsonOf, refusalOf } from '../harness/http.ts'

let box: Box

beforeAll(async () => {
  const origins = [
    'https://www.acme.test',
    'https://*.shops.test',
    'http://plain.test:8080',
    'https://bücher.test',
    'capacitor://localhost',
  ]
  box = await Box.start([aSite({ origins, domains: ['go.acme.test', 'go2.acme.test'] })], {
    server: { preview_host: 'preview.test', trusted_proxies: ['127.0.0.1/32', '10.0.0.0/8'] },
  })
}, boxStartMsMax)

afterAll(() => box.stop())

/** What an answer says of the origin it is for. */
const cors = ({ headers }: Answer) => ({
  origin: headers.get('access-control-allow-origin'),
  credentials: headers.get('access-control-allow-credentials'),
  exposed: headers.get('access-control-expose-headers'),
  vary: headers.get('vary'),
})

const echoed = (origin: string) => ({ origin, credentials: 'true', exposed: 'Retry-After', vary: 'Origin' })

describe.each([
  ['form capture', formRequest, 200],
  ['event capture', eventRequest, 202],
] as const)('%s', (_name, request, accepted) => {
  const post = (headers: Record<string, string | null>, others: Overrides = {}) =>
    box.send(request({ ...others, headers: { ...headers, ...others.headers } }))

  test('without an Origin header is allowed, and no CORS headers are added', async () => {
    const answer = await post({ origin: null })
    expect({ status: answer.status, cors: corsHeaderNames(answer) }).toEqual({ status: accepted, cors: [] })
  })

  test.each([
    'https://www.acme.test',
    'https://a.shops.test',
    'https://a.b.shops.test',
    'http://plain.test:8080',
    'https://xn--bcher-kva.test',
    'capacitor://localhost',
  ])('from %s, which is on the allowlist, is allowed and the origin echoed exactly', async (origin) => {
    const answer = await post({ origin })
    expect({ status: answer.status, cors: cors(answer) }).toEqual({ status: accepted, cors: echoed(origin) })
  })

  test.each([
    ['plain HTTP', 'go.acme.test', {}, 'http://go.acme.test'],
    ['a port', 'go.acme.test:8080', {}, 'http://go.acme.test:8080'],
    ["the scheme's own port", 'go.acme.test:80', {}, 'http://go.acme.test'],
    ['a host in capitals', 'GO.acme.TEST', {}, 'http://go.acme.test'],
    ['a trailing dot', 'go.acme.test.:8080', {}, 'http://go.acme.test.:8080'],
    ['HTTPS with the proxy', 'go.acme.test', { 'x-forwarded-proto': 'https' }, 'https://go.acme.test'],
    [
      "the proxy's host and port",
      'inside.test:3000',
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'go2.acme.test:8443' },
      'https://go2.acme.test:8443',
    ],
    [
      'the outer of two proxies, each of which adds to the lists',
      'inside.test',
      {
        'x-forwarded-for': '203.0.113.9, 10.0.0.2',
        'x-forwarded-proto': 'https, http',
        'x-forwarded-host': 'go2.acme.test, inside.test',
      },
      'https://go2.acme.test',
    ],
    [
      'the inner of two proxies, where the outer says nothing',
      'go.acme.test',
      { 'x-forwarded-for': '203.0.113.9, 10.0.0.2', 'x-forwarded-proto': 'https' },
      'https://go.acme.test',
    ],
    [
      'the proxy, and not the visitor who began the lists',
      'go.acme.test',
      {
        'x-forwarded-for': '10.0.0.2, 203.0.113.9',
        'x-forwarded-proto': 'http, https',
        'x-forwarded-host': 'evil.test, go.acme.test',
      },
      'https://go.acme.test',
    ],
  ])('from its own origin is allowed: %s', async (_what, host, headers, origin) => {
    const answer = await post({ origin }, { host, headers })
    expect({ status: answer.status, cors: cors(answer) }).toEqual({ status: accepted, cors: echoed(origin) })
  })

  test.each([
    'https://evil.test',
    'null',
    'http://www.acme.test',
    'https://www.acme.test:8443',
    'https://acme.test',
    'https://www.acme.test.evil.test',
    'https://evilwww.acme.test',
    'https://shops.test',
    'https://a.b.evilshops.test',
    'http://a.shops.test',
    'https://a.shops.test:8443',
    'https://plain.test:8080',
    'http://plain.test',
    'https://www.acme.test/',
    'https://www.acme.test, https://evil.test',
    'https://WWW.acme.test',
    'https://go.acme.test',
    'http://go.acme.test:8080',
    'http://go2.acme.test',
    'http://preview.test',
    'https://preview.test',
    'capacitor://www.acme.test',
    '*',
    'https://*.shops.test',
  ])('from %s is refused, without CORS headers', async (origin) => {
    const answer = await post({ origin })
    expect({ ...refusalOf(answer), cors: corsHeaderNames(answer) }).toEqual({
      status: 403,
      code: 'unknown_source',
      cors: [],
    })
  })

  test('that is refused later than check 1 carries the CORS headers too', async () => {
    const answer = await post({ 'content-type': 'text/plain' })
    expect({ status: answer.status, cors: cors(answer) }).toEqual({
      status: 400,
      cors: echoed('https://www.acme.test'),
    })
  })

  test.each(['PUT', 'GET', 'HEAD', 'DELETE', 'PATCH'])('answers 405 to %s and names what it allows', async (method) => {
    const answer = await box.send({ ...request(), method, body: null })
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'POST, OPTIONS',
    })
  })

  test('never answers `*`', async () => {
    for (const origin of ['https://www.acme.test', 'https://evil.test', 'null', '*']) {
      expect((await post({ origin })).headers.get('access-control-allow-origin')).not.toBe('*')
    }
  })
})

describe('GET /_svc/rc, the exception,', () => {
  const get = (origin: string | null) =>
    box.send({
      ...formRequest({ headers: { origin, 'content-type': null } }),
      method: 'GET',
      path: '/_svc/rc',
      body: null,
    })

  test.each(['https://www.acme.test', 'https://evil.test', 'null', null])('answers * to %p', async (origin) => {
    const { origin: allowed, credentials } = cors(await get(origin))
    expect({ allowed, credentials }).toEqual({ allowed: '*', credentials: null })
  })

  test.each([
    ['https://www.acme.test', true],
    ['http://go.acme.test', true],
    [null, true],
    ['https://evil.test', false],
    ['null', false],
  ])('tells %p whether it may post: %p', async (origin, authorised) => {
    expect(jsonOf(await get(origin)).originAuthorised).toBe(authorised)
  })
})

test(
  "the preview host's origin may post where it is listed, and what it sends is marked as a test",
  async () => {
    const origin = 'https://tried.test'
    const tried = await Box.start([aSite({ origins: [origin, 'https://www.acme.test'] })], {
      server: { preview_host: 'tried.test' },
    })
    try {
      for (const headers of [{ origin }, { origin: 'https://www.acme.test' }]) {
        expect((await tried.send(formRequest({ headers }))).status).toBe(200)
        expect((await tried.send(eventRequest({ headers }))).status).toBe(202)
      }
      expect((await tried.submissions()).map(({ test: isTest }) => isTest)).toEqual([true, false])
      expect((await tried.events()).map(({ test: isTest }) => isTest)).toEqual([true, false])
      const { stdout } = await tried.run(['export', 'acme', 'submissions'])
      expect(stdout.trim().split('\n').length).toBe(1)
    } finally {
      await tried.stop()
    }
  },
  boxStartMsMax,
)
