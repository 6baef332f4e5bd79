// Spec, Endpoints, `GET /_svc/file/<path>`.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import {
  expectedPart,
  expectedWhole,
  partOf,
  partRequests,
  unsatisfiableRequests,
  wholeRequests,
} from '../harness/parts.ts'
import { bytesAnswer, distinctBytes, headersOf, visit } from '../harness/visits.ts'

const brochure = distinctBytes(1000)
/** More than is held in memory: it goes out from the disk. */
const film = distinctBytes(3_000_000)

/** Names, and what they are as the `filename` that old clients read and the `filename*` that the others do. */
const dispositions: [name: string, value: string][] = [
  ['brochure.pdf', 'attachment; filename="brochure.pdf"'],
  ['Price list (2026), v1.pdf', 'attachment; filename="Price list (2026), v1.pdf"'],
  ['a;b=c.pdf', 'attachment; filename="a;b=c.pdf"'],
  ["it's.pdf", 'attachment; filename="it\'s.pdf"'],
  ['Preisübersicht.pdf', 'attachment; filename="Preis_bersicht.pdf"; filename*=UTF-8\'\'Preis%C3%BCbersicht.pdf'],
  ['価格.pdf', 'attachment; filename="__.pdf"; filename*=UTF-8\'\'%E4%BE%A1%E6%A0%BC.pdf'],
  ["ü's (1)!.pdf", "attachment; filename=\"_'s (1)!.pdf\"; filename*=UTF-8''%C3%BC%27s%20%281%29!.pdf"],
]

/** What a browser would run or show as a page of the domain stays bytes to keep. */
const typeByName = {
  'a.pdf': 'application/pdf',
  'a.csv': 'text/csv; charset=utf-8',
  'a.txt': 'text/plain; charset=utf-8',
  'a.zip': 'application/zip',
  'a.html': 'application/octet-stream',
  'a.svg': 'application/octet-stream',
  'a.xml': 'application/octet-stream',
  'a.js': 'application/octet-stream',
  'a.unheard-of': 'application/octet-stream',
  'without-extension': 'application/octet-stream',
}

const files = {
  ...Object.fromEntries(dispositions.map(([name]) => [`files/names/${name}`, name])),
  ...Object.fromEntries(Object.keys(typeByName).map((name) => [`files/types/${name}`, `<script>alert(1)</script>`])),
  'files/brochure.bin': brochure,
  'files/film.bin': film,
  'files/words.txt': 'The same words again. '.repeat(500),
  'files/empty.bin': '',
  'files/draft.pdf': 'draft',
}

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite({ files, previews: ['files/draft.pdf'] })])
}, boxStartMsMax)

afterAll(() => box.stop())

const file = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  bytesAnswer(box, visit(`/_svc/file/${path}`, { method, headers }))

describe('a file', () => {
  test('is served byte for byte', async () => {
    expect((await file('brochure.bin')).bytes).toEqual(brochure)
  })

  test('may be large', async () => {
    const answer = await file('film.bin')
    expect(headersOf(answer, 'content-length', 'accept-ranges')).toEqual({
      'content-length': String(film.length),
      'accept-ranges': 'bytes',
    })
    expect(Buffer.compare(answer.bytes, film)).toBe(0)
  })

  test('may be empty', async () => {
    expect(await file('empty.bin')).toMatchObject({ status: 200, bytes: new Uint8Array() })
  })

  test('may be kept for five minutes by anyone', async () => {
    expect(headersOf(await file('brochure.bin'), 'cache-control', 'set-cookie')).toEqual({
      'cache-control': 'public, max-age=300',
      'set-cookie': null,
    })
  })

  test.each(dispositions)('is a download under its own name: %s', async (name, value) => {
    expect(headersOf(await file(`names/${encodeURIComponent(name)}`), 'content-disposition')).toEqual({
      'content-disposition': value,
    })
  })

  test.each(Object.entries(typeByName))('named %s is never shown in the domain’s place', async (name, type) => {
    const answer = await file(`types/${name}`)
    expect(headersOf(answer, 'content-type', 'x-content-type-options')).toEqual({
      'content-type': type,
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('a part', () => {
  test('may be asked for', async () => {
    expect(headersOf(await file('brochure.bin'), 'accept-ranges')).toEqual({ 'accept-ranges': 'bytes' })
  })

  test.each(partRequests)('%s: %s', async (_what, range, first, last) => {
    expect(partOf(await file('brochure.bin', { range }))).toEqual(expectedPart(brochure, first, last))
  })

  test.each([
    ['in the middle', 'bytes=1000000-1000999', 1_000_000, 1_000_999],
    ['at the end', 'bytes=-100', 2_999_900, 2_999_999],
    ['from somewhere to the end', 'bytes=2999000-', 2_999_000, 2_999_999],
  ])('of a large file may be %s: %s', async (_where, range, first, last) => {
    const answer = await file('film.bin', { range })
    expect(partOf(answer)).toEqual(expectedPart(film, first, last))
    expect(headersOf(answer, 'content-length')).toEqual({ 'content-length': String(last - first + 1) })
  })

  test('is still a download', async () => {
    const answer = await file('names/brochure.pdf', { range: 'bytes=0-1' })
    expect(headersOf(answer, 'content-disposition')).toEqual({
      'content-disposition': 'attachment; filename="brochure.pdf"',
    })
  })

  test.each(wholeRequests)('is not what is asked for with %s: %p', async (_what, range) => {
    expect(partOf(await file('brochure.bin', { range }))).toEqual(expectedWhole(brochure))
  })

  test.each(unsatisfiableRequests)('that there is none of is 416, with the length: %s', async (_what, range) => {
    expect(partOf(await file('brochure.bin', { range }))).toEqual({ status: 416, range: 'bytes */1000', bytes: [] })
  })

  test('of an empty file is 416', async () => {
    expect(partOf(await file('empty.bin', { range: 'bytes=0-' }))).toMatchObject({ status: 416, range: 'bytes */0' })
  })

  test('continues a download of the same version', async () => {
    const etag = (await file('brochure.bin')).headers.get('etag') ?? ''
    const answer = await file('brochure.bin', { range: 'bytes=400-', 'if-range': etag })
    expect(partOf(answer)).toEqual(expectedPart(brochure, 400, 999))
  })

  test('of another version is the whole', async () => {
    const answer = await file('brochure.bin', { range: 'bytes=400-', 'if-range': '"other"' })
    expect(partOf(answer)).toEqual(expectedWhole(brochure))
  })

  test('of a file that is compressed for others is one of the published bytes', async () => {
    const answer = await file('words.txt', { range: 'bytes=4-7', 'accept-encoding': 'gzip, br' })
    expect(new TextDecoder().decode(answer.bytes)).toBe('same')
  })
})

describe('the ETag', () => {
  test('is strong', async () => {
    expect((await file('brochure.bin')).headers.get('etag')).toMatch(/^"[^"]+"$/)
  })

  test('answers 304 to a client that has the file', async () => {
    const etag = (await file('brochure.bin')).headers.get('etag') ?? ''
    const answer = await file('brochure.bin', { 'if-none-match': etag, range: 'bytes=0-9' })
    expect(answer).toMatchObject({ status: 304, bytes: new Uint8Array() })
    expect(headersOf(answer, 'etag', 'cache-control')).toEqual({ etag, 'cache-control': 'public, max-age=300' })
  })
})

test('HEAD is answered as GET, without the bytes', async () => {
  const names = ['content-type', 'content-disposition', 'etag', 'accept-ranges', 'cache-control']
  const head = await file('brochure.bin', {}, 'HEAD')
  expect(head).toMatchObject({ status: 200, bytes: new Uint8Array() })
  expect(headersOf(head, ...names)).toEqual(headersOf(await file('brochure.bin'), ...names))
  expect(head.headers.get('content-length')).toBe('1000')
})

describe('no file', () => {
  test.each([
    ['an unknown path', 'unknown.pdf'],
    ['a preview', 'draft.pdf'],
    ['a folder', 'names'],
    ['nothing', ''],
    ['a name in other letters', 'Brochure.bin'],
    ['an encoded slash', 'names%2Fbrochure.pdf'],
    ['an encoded traversal', '..%2Fsite.toml'],
    ['malformed percent-encoding', 'brochure.bin%'],
  ])('is at %s: %p', async (_what, path) => {
    expect((await file(path)).status).toBe(404)
  })
})
