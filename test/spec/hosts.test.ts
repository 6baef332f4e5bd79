// Every request is routed to an account by its `Host`; one that is not connected gets 404 (docs/why-nothing-arrives.md).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { RawConnection, rawRequest } from '../harness/raw-http.ts'
import { headersOf, visit } from '../harness/visits.ts'

const files = { 'pages/launch.html': '<title>Launch</title>' }

let box: Box

beforeAll(async () => {
  const acme = aSite({ files, domains: ['go.acme.test', 'xn--grn-hoa.acme.test'] })
  const bold = aSite({ account: 'bold', files: { 'pages/launch.html': '<title>Bold</title>' } })
  box = await Box.start([acme, bold])
}, boxStartMsMax)

afterAll(() => box.stop())

async function statusOf(lines: string[]): Promise<number | undefined> {
  using connection = await RawConnection.open(box.port)
  await connection.say(rawRequest(lines))
  return (await connection.answer())?.status
}

describe('a connected domain is found', () => {
  test.each([
    ['as it is', 'go.acme.test'],
    ['with any port', 'go.acme.test:8080'],
    ['with another port', 'go.acme.test:65535'],
    ['with a colon and no port', 'go.acme.test:'],
    ['in capitals', 'GO.Acme.TEST'],
    ['with a trailing dot', 'go.acme.test.'],
    ['with all of them', 'GO.ACME.TEST.:443'],
    ['in punycode', 'XN--GRN-hoa.acme.test'],
  ])('%s: %s', async (_how, host) => {
    expect((await box.send(visit('/launch', { host }))).text).toBe('<title>Launch</title>')
  })

  test('by its host, not by the path of the other account', async () => {
    expect((await box.send(visit('/launch', { account: 'bold' }))).text).toBe('<title>Bold</title>')
  })

  test('by its host, whatever an untrusted peer says of forwarding', async () => {
    const headers = { 'x-forwarded-host': 'go.bold.test', forwarded: 'host=go.bold.test' }
    expect((await box.send(visit('/launch', { headers }))).text).toBe('<title>Launch</title>')
  })
})

describe('any other host gets a bare 404', () => {
  const hosts = [
    'elsewhere.test',
    'acme.test',
    'www.acme.test',
    'a.go.acme.test',
    'go.acme.test.evil.test',
    'go.acme.testx',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'xpreview.localhost',
  ]

  test.each(hosts)('%s', async (host) => {
    const answer = await box.send(visit('/launch', { host }))
    expect([answer.status, answer.text]).toEqual([404, ''])
  })

  test('on every path', async () => {
    const host = 'elsewhere.test'
    const asked = [
      ...['/', '/_svc/rc', '/_svc/v1.js', '/_svc/c/x', '/_svc/img/a.png', '/_preview/x'].map((path) =>
        visit(path, { host }),
      ),
      formRequest({ host }),
      eventRequest({ host }),
      visit('/_svc/e', { host, method: 'OPTIONS', headers: { origin: 'https://www.acme.test' } }),
    ]
    for (const request of asked) {
      const answer = await box.send(request)
      expect([request.path, answer.status, answer.text]).toEqual([request.path, 404, ''])
    }
  })

  test('that says nothing of what runs there', async () => {
    const answer = await box.send(visit('/launch', { host: 'elsewhere.test' }))
    expect(headersOf(answer, 'server', 'x-powered-by', 'set-cookie', 'location')).toEqual({
      server: null,
      'x-powered-by': null,
      'set-cookie': null,
      location: null,
    })
  })
})

describe('400 is the answer to a Host that is', () => {
  test('missing', async () => {
    expect(await statusOf(['GET /launch HTTP/1.1'])).toBe(400)
  })

  test('repeated', async () => {
    expect(await statusOf(['GET /launch HTTP/1.1', 'Host: go.acme.test', 'Host: go.bold.test'])).toBe(400)
  })

  test('repeated with the same name', async () => {
    expect(await statusOf(['GET /launch HTTP/1.1', 'Host: go.acme.test', 'host: go.acme.test'])).toBe(400)
  })

  test.each([
    ['empty', ''],
    ['two names', 'go.acme.test, go.bold.test'],
    ['a path', 'go.acme.test/launch'],
    ['an address', 'http://go.acme.test'],
    ['with user info', 'ada@go.acme.test'],
    ['with a space', 'go.acme.test go.bold.test'],
    ['without a name', ':8080'],
    ['with letters as its port', 'go.acme.test:x'],
    ['with a port that there is not', 'go.acme.test:99999'],
    ['with two dots', 'go..acme.test'],
    ['percent-encoded', 'go%2eacme.test'],
    ['longer than any name', `${'a'.repeat(300)}.test`],
  ])('%s: %p', async (_what, host) => {
    expect(await statusOf(['GET /launch HTTP/1.1', `Host: ${host}`])).toBe(400)
  })
})
