// The Host header and the request line (RFC 9112 sections 2.3 and 3.2).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { type RawAnswer, RawConnection, rawRequest } from '../harness/raw-http.ts'

let box: Box

beforeAll(async () => {
  const page = (account: string) => ({ 'pages/launch.html': `<p>${account} launches</p>` })
  box = await Box.start([aSite({ files: page('acme') }), aSite({ account: 'beta', files: page('beta') })])
}, boxStartMsMax)

afterAll(() => box.stop())

afterEach(async () => {
  expect((await box.send(formRequest())).status).toBe(200)
})

async function answerTo(raw: string): Promise<RawAnswer | null> {
  using connection = await RawConnection.open(box.port)
  await connection.say(raw)
  return await connection.answer()
}

const launch = (...headers: string[]) => rawRequest(['GET /launch HTTP/1.1', ...headers])

describe('a request that names no host is 400:', () => {
  test.each([
    ['no Host', []],
    ['an empty one', ['Host: ']],
    ['two', ['Host: go.acme.test', 'Host: go.beta.test']],
    ['the same one twice', ['Host: go.acme.test', 'Host: go.acme.test']],
    ['two in one header', ['Host: go.acme.test, go.beta.test']],
    ['a blank within', ['Host: go acme.test']],
    ['a path', ['Host: go.acme.test/launch']],
    ['a scheme', ['Host: http://go.acme.test']],
    ['user info', ['Host: go.beta.test@go.acme.test']],
    ['a fragment', ['Host: go.acme.test#']],
    ['a port beyond all ports', ['Host: go.acme.test:99999']],
    ['port 0', ['Host: go.acme.test:0']],
    ['a port that is a word', ['Host: go.acme.test:http']],
    ['an empty label', ['Host: go..acme.test']],
    ['a leading dot', ['Host: .go.acme.test']],
    ['two trailing dots', ['Host: go.acme.test..']],
    ['a label that begins with a hyphen', ['Host: -go.acme.test']],
    ['a wildcard', ['Host: *.acme.test']],
    ['percent-encoding', ['Host: %67o.acme.test']],
    ['Latin-1 letters', ['Host: g\xf6.acme.test']],
    ['a NUL', ['Host: go.acme.test\0']],
    ['an open bracket', ['Host: [::1']],
    ['300 characters', [`Host: ${'a'.repeat(295)}.test`]],
  ])('%s', async (_what, headers) => {
    expect((await answerTo(launch(...headers)))?.status).toBe(400)
  })
})

describe('HTTP/1.0', () => {
  test('with a Host is answered, and the connection closed', async () => {
    using connection = await RawConnection.open(box.port)
    await connection.say(rawRequest(['GET /launch HTTP/1.0', 'Host: go.acme.test']))
    expect(await connection.answer()).toMatchObject({ status: 200, body: '<p>acme launches</p>' })
    await connection.closed()
  })

  test('without a Host is 400', async () => {
    expect((await answerTo(rawRequest(['GET /launch HTTP/1.0'])))?.status).toBe(400)
  })

  test('posts a form', async () => {
    const head = ['POST /_svc/f/contact1 HTTP/1.0', 'Host: go.acme.test', 'Content-Type: application/json']
    expect((await answerTo(rawRequest([...head, 'Content-Length: 2'], '{}')))?.status).toBe(200)
  })
})

describe('another protocol is refused and the connection closed:', () => {
  test.each([
    ['HTTP/0.9', 'GET /launch\r\n\r\n', 505],
    ['HTTP/1.2', rawRequest(['GET /launch HTTP/1.2', 'Host: go.acme.test']), 505],
    ['HTTP/2.0 in text', rawRequest(['GET /launch HTTP/2.0', 'Host: go.acme.test']), 505],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['something else', 'EHLO go.acme.test\r\n\r\n', 400],
  ])('%s', async (_what, raw, status) => {
    using connection = await RawConnection.open(box.port)
    await connection.say(raw)
    expect((await connection.answer())?.status).toBe(status)
    await connection.closed()
  })
})

describe('an absolute-form request target', () => {
  test.each(['http://go.acme.test/launch', 'http://go.acme.test:8080/launch'])('is served: %s', async (target) => {
    expect(await answerTo(rawRequest([`GET ${target} HTTP/1.1`, 'Host: go.acme.test']))).toMatchObject({
      status: 200,
      body: '<p>acme launches</p>',
    })
  })

  test.each(['http://go.beta.test/launch', 'https://go.beta.test/launch', 'http://unknown.test/launch'])(
    'never reaches another account than the one that Host names: %s',
    async (target) => {
      const answer = await answerTo(rawRequest([`GET ${target} HTTP/1.1`, 'Host: go.acme.test']))
      expect(answer?.body).not.toContain('beta')
    },
  )

  test.each(['ftp://go.acme.test/launch', 'launch', '*', 'go.acme.test:80'])(
    'of another form is 400: %s',
    async (target) => {
      expect((await answerTo(rawRequest([`GET ${target} HTTP/1.1`, 'Host: go.acme.test'])))?.status).toBe(400)
    },
  )

  test('leaves no foreign address in the page view', async () => {
    const targets = ['http://go.beta.test/launch?n=foreign', 'http://ada:secret@go.acme.test/launch?n=userinfo']
    for (const target of targets) await answerTo(rawRequest([`GET ${target} HTTP/1.1`, 'Host: go.acme.test']))
    await box.send(formRequest())
    const views = (await box.events()).filter(({ properties }) => /n=/.test(String(properties.url)))
    expect(views.filter(({ properties }) => properties.host !== 'go.acme.test')).toEqual([])
    expect(JSON.stringify(views)).not.toMatch(/beta|secret/)
  })
})

describe('an unknown method', () => {
  test.each(['FOO', 'get', 'post', 'G@T'])('%s is not served, whatever it asks for', async (method) => {
    const answers = await Promise.all(
      ['/launch', '/_svc/e', '/_svc/f/contact1'].map((path) =>
        answerTo(rawRequest([`${method} ${path} HTTP/1.1`, 'Host: go.acme.test'])),
      ),
    )
    for (const answer of answers) expect(answer?.status ?? 400).toBeWithin(400, 506)
  })

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'DELETE', 'PUT', 'PATCH', 'LINK'])('%s is 405', async (method) => {
    const answers = await Promise.all(
      ['/launch', '/_svc/e', '/_svc/f/contact1'].map((path) =>
        answerTo(rawRequest([`${method} ${path} HTTP/1.1`, 'Host: go.acme.test'])),
      ),
    )
    expect(answers.map((answer) => [answer?.status, answer?.headers.has('allow')])).toEqual(Array(3).fill([405, true]))
  })

  test('TRACE does not send the request back', async () => {
    const answer = await answerTo(
      rawRequest(['TRACE /launch HTTP/1.1', 'Host: go.acme.test', 'Cookie: svc_id=private']),
    )
    expect(answer?.body).not.toContain('private')
  })
})
