// Bodies whose framing lies, repeats itself or breaks off (docs/running.md, "Limits"; RFC 9112 section 6).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { type RawAnswer, RawConnection, rawRequest } from '../harness/raw-http.ts'

const limit = 8192
const json = '{"a":"b"}'
let box: Box

beforeAll(async () => {
  box = await Box.start(['acme', 'early', 'amid'].map((account) => aSite({ account })))
}, boxStartMsMax)

afterAll(() => box.stop())

afterEach(async () => {
  expect((await box.send(formRequest())).status).toBe(200)
})

const formHead = ['POST /_svc/f/contact1 HTTP/1.1', 'Host: go.acme.test', 'Content-Type: application/json']
const eventHead = [
  'POST /_svc/e HTTP/1.1',
  'Host: go.acme.test',
  'Content-Type: application/json',
  `X-SVC-Site-Key: ${trackingKeyOf('acme')}`,
  'X-SVC-Consent: granted',
]
const goodRequest = rawRequest([...formHead, `Content-Length: ${json.length}`], json)

/** Sends a form post with these further headers and returns what comes back. */
async function answerTo(headers: string[], body: string, head = formHead): Promise<RawAnswer | null> {
  using connection = await RawConnection.open(box.port)
  await connection.say(rawRequest([...head, ...headers], body))
  return await connection.answer()
}

const validation = { status: 400, body: expect.stringContaining('"code":"validation"') }

describe.each([
  ['form capture', formHead],
  ['event capture', eventHead],
])('%s: a length over the limit', (_name, head) => {
  test.each([limit + 1, 1_000_000, 10_000_000_000, Number.MAX_SAFE_INTEGER, 2 ** 54])(
    'of %d is refused before a byte of the body is sent',
    async (length) => {
      expect(await answerTo([`Content-Length: ${length}`], '', head)).toMatchObject(validation)
    },
  )

  test('leaves the connection usable once the body has been sent', async () => {
    using connection = await RawConnection.open(box.port)
    await connection.say(rawRequest([...head, 'Content-Length: 100000'], 'x'.repeat(100_000)))
    expect(await connection.answer()).toMatchObject(validation)
    await connection.say(goodRequest)
    expect(await connection.answer()).toMatchObject({ status: 200 })
  })

  test('carries the CORS headers of an allowed origin', async () => {
    const answer = await answerTo(['Content-Length: 100000', 'Origin: https://www.acme.test'], '', head)
    expect(answer?.headers.get('access-control-allow-origin')).toBe('https://www.acme.test')
  })
})

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const chunkedHeader = 'Transfer-Encoding: chunked'

describe('a chunked body', () => {
  test('within the limit is accepted, however it is cut', async () => {
    const body = [...json].map(chunk).join('') + chunk('').trimEnd() + '\r\n\r\n'
    expect(await answerTo([chunkedHeader], body)).toMatchObject({ status: 200 })
  })

  test.each([
    ['in one chunk', 'x'.repeat(limit + 1)],
    ['in many chunks', 'x'],
  ])('over the limit is cut off with the JSON 400, while more could follow: %s', async (_what, piece) => {
    const body = chunk(piece).repeat(Math.ceil((limit + 1) / piece.length))
    expect(await answerTo([chunkedHeader], body)).toMatchObject(validation)
  })

  test('that never ends does not hang the connection: it is answered, then read no further than it is sent', async () => {
    using connection = await RawConnection.open(box.port)
    await connection.say(rawRequest([...formHead, chunkedHeader], chunk('x'.repeat(limit + 1))))
    expect(await connection.answer()).toMatchObject(validation)
    await connection.say(`${chunk('y'.repeat(100_000))}0\r\n\r\n${goodRequest}`)
    expect(await connection.answer()).toMatchObject({ status: 200 })
  })

  test.each([
    ['a size that is no number', `zz\r\n${json}\r\n0\r\n\r\n`],
    ['a negative size', `-9\r\n${json}\r\n0\r\n\r\n`],
    ['a size beyond all numbers', `ffffffffffffffff\r\n${json}`],
    ['a size that lies', `3\r\n${json}\r\n0\r\n\r\n`],
  ])('with %s is refused and the connection closed', async (_what, body) => {
    using connection = await RawConnection.open(box.port)
    await connection.say(rawRequest([...formHead, chunkedHeader], body))
    expect(await connection.answer()).toMatchObject({ status: 400 })
    await connection.closed()
  })
})

describe('a length that cannot be believed is refused, and the connection closed:', () => {
  test.each([
    ['two that differ', ['Content-Length: 9', 'Content-Length: 5']],
    ['two in one header', ['Content-Length: 9, 9']],
    ['with Transfer-Encoding beside it', ['Content-Length: 9', chunkedHeader]],
    ['negative', ['Content-Length: -1']],
    ['with a sign', ['Content-Length: +9']],
    ['hexadecimal', ['Content-Length: 0x9']],
    ['with an exponent', ['Content-Length: 1e1']],
    ['with a fraction', ['Content-Length: 9.0']],
    ['empty', ['Content-Length: ']],
    ['a word', ['Content-Length: nine']],
    ['beyond 64 bits', ['Content-Length: 18446744073709551625']],
    ['an encoding that is not known', ['Transfer-Encoding: gzip']],
    ['chunked, then something else', ['Transfer-Encoding: chunked, gzip']],
    ['a word that ends like chunked', ['Transfer-Encoding: xchunked']],
    ['a blank before the colon', ['Transfer-Encoding : chunked']],
    ['a folded header', ['X-Folded: a', ' Content-Length: 9']],
  ])('%s', async (_what, headers) => {
    using connection = await RawConnection.open(box.port)
    await connection.say(rawRequest([...formHead, ...headers], json))
    expect((await connection.answer())?.status).toBe(400)
    await connection.closed()
  })
})

test('a body longer than declared is another request, and none that could be smuggled in', async () => {
  using connection = await RawConnection.open(box.port)
  await connection.say(rawRequest([...formHead, 'Content-Length: 3'], json))
  const answers = [await connection.answer(), await connection.answer()]
  expect(answers.map((answer) => answer?.status)).toEqual([400, 400])
  await connection.closed()
})

test('a body without any length is none', async () => {
  expect(await answerTo([], '')).toMatchObject(validation)
})

describe('a body that breaks off', () => {
  const part = '{"marker":"broken off"'

  test.each([
    ['early', 'before its declared length', 'Content-Length: 100', part],
    ['amid', 'in the middle of its chunks', chunkedHeader, chunk(part)],
  ])('is stored nowhere, and counted as a refusal: account %s, %s', async (account, _what, header, body) => {
    using connection = await RawConnection.open(box.port)
    const head = ['POST /_svc/f/contact1 HTTP/1.1', `Host: go.${account}.test`, 'Content-Type: application/json']
    await connection.say(rawRequest([...head, header], body))
    connection.end()
    await connection.closed()
    await eventually('the refusal is counted', async () => (await incompleteCount(account)) === 1)
    expect(await box.submissions(account)).toEqual([])
  })
})

async function incompleteCount(account: string): Promise<number> {
  const { stdout } = await box.run(['refusals', account, '--json'])
  const { refusals } = JSON.parse(stdout) as { refusals: { check: string; count: number }[] }
  return refusals.find(({ check }) => check === 'incomplete')?.count ?? 0
}
