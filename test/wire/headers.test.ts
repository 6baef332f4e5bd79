// Headers too many, too long, malformed or repeated.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { type RawAnswer, RawConnection, rawRequest } from '../harness/raw-http.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite({ files: { 'pages/launch.html': '<p>launch</p>' } })])
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

const launch = (...headers: string[]) => rawRequest(['GET /launch HTTP/1.1', 'Host: go.acme.test', ...headers])

describe('bombs are refused with 431, and the connection closed:', () => {
  test.each([
    ['one header of 20,000 bytes', launch(`X-Long: ${'a'.repeat(20_000)}`)],
    ['one header of a megabyte', launch(`X-Long: ${'a'.repeat(1_000_000)}`)],
    ['10,000 headers', launch(...Array.from({ length: 10_000 }, (_, i) => `X-${i}: a`))],
    ['a cookie of 20,000 bytes', launch(`Cookie: svc_id=${'a'.repeat(20_000)}`)],
    ['an address of 20,000 characters', rawRequest([`GET /${'a'.repeat(20_000)} HTTP/1.1`, 'Host: go.acme.test'])],
    ['a header that never ends', `GET /launch HTTP/1.1\r\nHost: go.acme.test\r\nX-Long: ${'a'.repeat(100_000)}`],
  ])('%s', async (_what, raw) => {
    using connection = await RawConnection.open(box.port)
    await connection.say(raw)
    expect((await connection.answer())?.status).toBe(431)
    await connection.closed()
  })
})

test('a header of 10,000 bytes and a hundred headers are served', async () => {
  const many = Array.from({ length: 90 }, (_, i) => `X-${i}: a`)
  expect((await answerTo(launch(`X-Long: ${'a'.repeat(10_000)}`, ...many)))?.status).toBe(200)
})

describe('malformed headers are 400:', () => {
  test.each([
    ['no colon', 'X-Nothing'],
    ['a NUL in the value', 'X-Null: a\0b'],
    ['a blank in the name', 'X Name: a'],
    ['no name', ': a'],
    ['a folded line', 'X-Folded: a\r\n b'],
  ])('%s', async (_what, header) => {
    expect((await answerTo(launch(header)))?.status).toBe(400)
  })
})

describe('headers that the checks read, repeated or hostile,', () => {
  const form = (...headers: string[]) =>
    rawRequest(['POST /_svc/f/contact1 HTTP/1.1', 'Host: go.acme.test', ...headers, 'Content-Length: 2'], '{}')
  const jsonType = 'Content-Type: application/json'

  test('two Origins are refused as one that is not allowed', async () => {
    const answer = await answerTo(form(jsonType, 'Origin: https://www.acme.test', 'Origin: https://evil.test'))
    expect(answer?.status).toBe(403)
    expect(answer?.headers.has('access-control-allow-origin')).toBe(false)
  })

  test('two content types that differ are refused', async () => {
    expect((await answerTo(form(jsonType, 'Content-Type: text/plain')))?.status).toBe(400)
  })

  test.each(['Origin', 'User-Agent', 'Referer', 'Cookie', 'X-Forwarded-For', 'X-Forwarded-Host', 'Accept-Language'])(
    'bytes that are no UTF-8 in %s break nothing',
    async (name) => {
      const answer = await answerTo(form(jsonType, `${name}: \xff\xfe\x80 'or"<script>`))
      expect(answer?.status).toBe(name === 'Origin' ? 403 : 200)
    },
  )

  test('nothing of a header ends up in the headers of the answer', async () => {
    const answer = await answerTo(form(jsonType, 'Origin: https://www.acme.test\tX-Injected: 1'))
    expect(answer?.headers.has('x-injected')).toBe(false)
    expect(answer?.status).toBe(403)
  })

  test('a wish to speak another protocol is ignored', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    const answer = await answerTo(launch(...upgrade, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='))
    expect(answer?.status).toBe(200)
  })

  test('Expect: 100-continue gets its go-ahead, then the answer', async () => {
    using connection = await RawConnection.open(box.port)
    const head = ['POST /_svc/f/contact1 HTTP/1.1', 'Host: go.acme.test', jsonType, 'Content-Length: 2']
    await connection.say(rawRequest([...head, 'Expect: 100-continue']))
    expect((await connection.answer())?.status).toBe(100)
    await connection.say('{}')
    expect((await connection.answer())?.status).toBe(200)
  })
})
