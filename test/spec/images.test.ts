// Spec, Endpoints, `GET /_svc/img/<path>`.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
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

const typeByName = {
  'a.apng': 'image/apng',
  'a.avif': 'image/avif',
  'a.bmp': 'image/bmp',
  'a.gif': 'image/gif',
  'a.ico': 'image/x-icon',
  'a.jpeg': 'image/jpeg',
  'a.jpg': 'image/jpeg',
  'a.png': 'image/png',
  'a.svg': 'image/svg+xml',
  'a.webp': 'image/webp',
  'upper.PNG': 'image/png',
  'two.html.png': 'image/png',
}
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script>${'<path d="M0 0h1v1z"/>'.repeat(200)}</svg>`
const hero = distinctBytes(1000)

const files = {
  // The content says nothing of the type: HTML in a picture's clothes stays a picture.
  ...Object.fromEntries(Object.keys(typeByName).map((name) => [`img/types/${name}`, `<html>${name}</html>`])),
  'img/brand/hero.png': hero,
  'img/logo.svg': svg,
  'img/größe (1).png': 'umlaut',
  'img/draft.png': 'draft',
}

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite({ files, previews: ['img/draft.png'] })])
}, boxStartMsMax)

afterAll(() => box.stop())

const image = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  bytesAnswer(box, visit(`/_svc/img/${path}`, { method, headers }))

describe('an image', () => {
  test('is served byte for byte', async () => {
    expect((await image('brand/hero.png')).bytes).toEqual(hero)
  })

  test.each(Object.entries(typeByName))('named %s has the type of the table, and no other', async (name, type) => {
    const answer = await image(`types/${name}`)
    expect(headersOf(answer, 'content-type', 'x-content-type-options')).toEqual({
      'content-type': type,
      'x-content-type-options': 'nosniff',
    })
  })

  test('may be kept for five minutes by anyone', async () => {
    expect(headersOf(await image('brand/hero.png'), 'cache-control', 'set-cookie')).toEqual({
      'cache-control': 'public, max-age=300',
      'set-cookie': null,
    })
  })

  test('is found by its percent-encoded name', async () => {
    expect((await image(encodeURIComponent('größe (1).png'))).status).toBe(200)
  })

  test.each(['decomposed', 'NFC'])('is found however its accents are written: %s', async (form) => {
    const name = 'größe (1).png'.normalize(form === 'NFC' ? 'NFC' : 'NFD')
    expect((await image(encodeURIComponent(name))).status).toBe(200)
  })
})

describe('an SVG', () => {
  test('runs nothing and loads nothing', async () => {
    expect(headersOf(await image('logo.svg'), 'content-security-policy')).toEqual({
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
  })

  test('is compressed for a client that takes it, and the same after decoding', async () => {
    const answer = await image('logo.svg', { 'accept-encoding': 'gzip' })
    expect(headersOf(answer, 'content-encoding', 'vary')).toEqual({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    })
    expect(gunzipSync(answer.bytes).toString()).toBe(svg)
  })

  test('in parts is never compressed: a part is one of the published bytes', async () => {
    const answer = await image('logo.svg', { 'accept-encoding': 'gzip, br', range: 'bytes=0-9' })
    expect(partOf(answer)).toEqual(expectedPart(new TextEncoder().encode(svg), 0, 9))
    expect(headersOf(answer, 'content-encoding')).toEqual({ 'content-encoding': null })
  })
})

describe('a part', () => {
  test('may be asked for', async () => {
    expect(headersOf(await image('brand/hero.png'), 'accept-ranges')).toEqual({ 'accept-ranges': 'bytes' })
  })

  test.each(partRequests)('%s: %s', async (_what, range, first, last) => {
    expect(partOf(await image('brand/hero.png', { range }))).toEqual(expectedPart(hero, first, last))
  })

  test('keeps the type, and how it is to be read', async () => {
    const answer = await image('logo.svg', { range: 'bytes=0-9' })
    expect(headersOf(answer, 'content-type', 'x-content-type-options', 'content-security-policy')).toEqual({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
  })

  test.each(wholeRequests)('is not what is asked for with %s: %p', async (_what, range) => {
    expect(partOf(await image('brand/hero.png', { range }))).toEqual(expectedWhole(hero))
  })

  test.each(unsatisfiableRequests)('that there is none of is 416, with the length: %s', async (_what, range) => {
    const answer = await image('brand/hero.png', { range })
    expect(partOf(answer)).toEqual({ status: 416, range: 'bytes */1000', bytes: [] })
  })

  test('of the version that the client has is sent with `If-Range`', async () => {
    const etag = (await image('brand/hero.png')).headers.get('etag') ?? ''
    const answer = await image('brand/hero.png', { range: 'bytes=0-9', 'if-range': etag })
    expect(partOf(answer)).toEqual(expectedPart(hero, 0, 9))
  })

  test.each([
    ['another version', '"other"'],
    ['a date', 'Sat, 21 Nov 2026 00:00:00 GMT'],
  ])('of %s is the whole', async (_what, ifRange) => {
    const answer = await image('brand/hero.png', { range: 'bytes=0-9', 'if-range': ifRange })
    expect(partOf(answer)).toEqual(expectedWhole(hero))
  })

  test('by a weak ETag is the whole: a part must fit byte for byte', async () => {
    const etag = (await image('brand/hero.png')).headers.get('etag') ?? ''
    const answer = await image('brand/hero.png', { range: 'bytes=0-9', 'if-range': `W/${etag}` })
    expect(partOf(answer)).toEqual(expectedWhole(hero))
  })
})

describe('the ETag', () => {
  test.each(['identity', 'gzip', 'br'])('answers 304 to a client that has the %s version', async (encoding) => {
    const headers = { 'accept-encoding': encoding }
    const etag = (await image('logo.svg', headers)).headers.get('etag') ?? ''
    const answer = await image('logo.svg', { ...headers, 'if-none-match': etag })
    expect(answer).toMatchObject({ status: 304, bytes: new Uint8Array() })
    expect(headersOf(answer, 'etag', 'cache-control')).toEqual({ etag, 'cache-control': 'public, max-age=300' })
  })

  test('is strong', async () => {
    expect((await image('brand/hero.png')).headers.get('etag')).toMatch(/^"[^"]+"$/)
  })
})

test('HEAD is answered as GET, without the bytes', async () => {
  const names = ['content-type', 'etag', 'cache-control', 'accept-ranges', 'x-content-type-options']
  const head = await image('brand/hero.png', {}, 'HEAD')
  expect(head).toMatchObject({ status: 200, bytes: new Uint8Array() })
  expect(headersOf(head, ...names)).toEqual(headersOf(await image('brand/hero.png'), ...names))
  expect(head.headers.get('content-length')).toBe('1000')
})

describe('no image', () => {
  test.each([
    ['an unknown path', 'unknown.png'],
    ['a preview', 'draft.png'],
    ['a folder', 'brand'],
    ['a folder', 'brand/'],
    ['nothing', ''],
    ['a name in other letters', 'brand/HERO.png'],
    ['an encoded slash', 'brand%2Fhero.png'],
    ['an encoded traversal', '%2e%2e/site.toml'],
    ['an encoded traversal', '..%2Fsite.toml'],
    ['an encoded traversal', 'brand%2F..%2Fbrand%2Fhero.png'],
    ['a backslash', 'brand%5Chero.png'],
    ['a null byte', 'brand/hero.png%00'],
    ['malformed percent-encoding', 'brand/hero.png%'],
    ['invalid UTF-8', '%ff.png'],
    ['an empty segment', 'brand//hero.png'],
  ])('is at %s: %p', async (_what, path) => {
    expect((await image(path)).status).toBe(404)
  })
})
