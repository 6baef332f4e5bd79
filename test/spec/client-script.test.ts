// Spec, Endpoints, `GET /_svc/v1.js`, and docs/script.md.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { bytesAnswer, headersOf, visit } from '../harness/visits.ts'

const path = '/_svc/v1.js'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite(), aSite({ account: 'bold' })])
}, boxStartMsMax)

afterAll(() => box.stop())

const etagOf = async (encoding: string): Promise<string> =>
  (await bytesAnswer(box, visit(path, { headers: { 'accept-encoding': encoding } }))).headers.get('etag') ?? ''

test('the script is JavaScript that any page may load', async () => {
  const answer = await box.send(visit(path))
  expect<object>({
    status: answer.status,
    ...headersOf(answer, 'content-type', 'cache-control', 'x-content-type-options'),
  }).toEqual({
    status: 200,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
  })
  expect(headersOf(answer, 'access-control-allow-origin')).toEqual({ 'access-control-allow-origin': '*' })
})

test('the script parses, and sets no cookie', async () => {
  const answer = await box.send(visit(path))
  expect(() => new Function(answer.text)).not.toThrow()
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('a query does not matter', async () => {
  const plain = await box.send(visit(path))
  expect((await box.send(visit(`${path}?v=2`))).text).toBe(plain.text)
})

test('every account is served the same script', async () => {
  const one = await box.send(visit(path))
  const other = await box.send(visit(path, { account: 'bold' }))
  expect(other.text).toBe(one.text)
})

test.each([
  ['gzip, deflate', 'gzip', gunzipSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip;q=0, *', 'br', brotliDecompressSync],
] as const)('a client that says %p gets %s of the same bytes', async (accepted, encoding, unpack) => {
  const plain = await bytesAnswer(box, visit(path))
  const packed = await bytesAnswer(box, visit(path, { headers: { 'accept-encoding': accepted } }))
  expect(headersOf(packed, 'content-encoding', 'vary')).toEqual({
    'content-encoding': encoding,
    vary: 'Accept-Encoding',
  })
  expect(new Uint8Array(unpack(packed.bytes))).toEqual(plain.bytes)
})

test('the script is at most 3,000 bytes on the wire, gzipped', async () => {
  const packed = await bytesAnswer(box, visit(path, { headers: { 'accept-encoding': 'gzip' } }))
  expect(packed.bytes.length).toBeGreaterThan(1_000)
  expect(packed.bytes.length).toBeLessThanOrEqual(3_000)
})

test.each([
  ['f.js', 'text/javascript; charset=utf-8'],
  ['e.js', 'text/javascript; charset=utf-8'],
  ['l/de.js', 'text/javascript; charset=utf-8'],
  ['b.js', 'text/javascript; charset=utf-8'],
  ['b/altcha.js', 'text/javascript; charset=utf-8'],
  ['b/altcha.css', 'text/css; charset=utf-8'],
  ['v1.d.ts', 'text/plain; charset=utf-8'],
])('%s, which some pages and developers need, is served in the same way', async (name, contentType) => {
  const answer = await box.send(visit(`/_svc/${name}`))
  expect(answer.status).toBe(200)
  expect(headersOf(answer, 'content-type', 'cache-control', 'access-control-allow-origin')).toEqual({
    'content-type': contentType,
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
  })
  expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/)
})

test('the texts in a language that we do not speak are the English ones, and no other name is answered', async () => {
  const english = await box.send(visit('/_svc/l/en.js'))
  expect((await box.send(visit('/_svc/l/sv.js'))).text).toBe(english.text)
  expect((await box.send(visit('/_svc/l/de.js'))).text).not.toBe(english.text)
  const others = ['/_svc/l/EN.js', '/_svc/l/en', '/_svc/l/..%2Fv1.js', '/_svc/l/']
  const answers = await Promise.all(others.map((path) => box.send(visit(path))))
  expect(answers.map(({ status }) => status)).toEqual(others.map(() => 404))
})

test('the widget that comes from elsewhere is served with its licence', async () => {
  expect((await box.send(visit('/_svc/b/altcha.js'))).text).toContain('MIT License')
})

test.each(['identity', 'br;q=0', 'gzip;q=0', 'deflate'])('a client that says %p gets it as it is', async (accepted) => {
  const answer = await bytesAnswer(box, visit(path, { headers: { 'accept-encoding': accepted } }))
  expect(headersOf(answer, 'content-encoding')).toEqual({ 'content-encoding': null })
})

describe('the ETag', () => {
  test('is strong, and another one for another encoding', async () => {
    const [plain, packed] = [await etagOf('identity'), await etagOf('gzip')]
    expect([plain, packed]).toEqual([expect.stringMatching(/^"[^"]+"$/), expect.stringMatching(/^"[^"]+"$/)])
    expect(plain).not.toBe(packed)
  })

  test.each(['identity', 'gzip'])('spares a client that has it the bytes (%s)', async (encoding) => {
    const etag = await etagOf(encoding)
    const headers = { 'accept-encoding': encoding, 'if-none-match': etag }
    const answer = await bytesAnswer(box, visit(path, { headers }))
    expect<object>({
      status: answer.status,
      length: answer.bytes.length,
      ...headersOf(answer, 'etag', 'cache-control'),
    }).toEqual({
      status: 304,
      length: 0,
      etag,
      'cache-control': 'public, max-age=300',
    })
  })

  test('of another version does not', async () => {
    expect((await box.send(visit(path, { headers: { 'if-none-match': '"other"' } }))).status).toBe(200)
  })
})

test('HEAD is answered as GET, without the bytes', async () => {
  const whole = await bytesAnswer(box, visit(path))
  const head = await bytesAnswer(box, visit(path, { method: 'HEAD' }))
  expect<object>({
    status: head.status,
    bytes: head.bytes.length,
    ...headersOf(head, 'etag', 'content-length'),
  }).toEqual({
    status: 200,
    bytes: 0,
    etag: whole.headers.get('etag'),
    'content-length': String(whole.bytes.length),
  })
})
