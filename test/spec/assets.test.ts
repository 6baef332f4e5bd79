// docs/site-folder.md, "Assets": `GET /assets/<path>` on the domain, and below a signed path of the preview host.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { expectedPart, expectedWhole, partOf } from '../harness/parts.ts'
import { bytesAnswer, distinctBytes, headersOf, visit } from '../harness/visits.ts'

const typeByExtension = {
  aac: 'audio/aac',
  apng: 'image/apng',
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css; charset=utf-8',
  flac: 'audio/flac',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  map: 'application/json',
  mjs: 'text/javascript; charset=utf-8',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  opus: 'audio/ogg',
  otf: 'font/otf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  txt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml',
}
const extensions = Object.keys(typeByExtension)
/** What is worth compressing. */
const compressed = [
  'bmp',
  'css',
  'ico',
  'js',
  'json',
  'map',
  'mjs',
  'otf',
  'svg',
  'ttf',
  'txt',
  'vtt',
  'wasm',
  'webmanifest',
  'xml',
]
const kept = 'public, max-age=300, stale-while-revalidate=86400'
const long = (extension: string) => `/* ${extension} */\n`.repeat(200)
const film = distinctBytes(1000)

const files = {
  'pages/assets.html': '<title>Our assets</title>',
  'pages/launch.html': '<title>Launch</title>',
  'img/hero.png': 'hero',
  'files/sheet.pdf': 'sheet',
  ...Object.fromEntries(extensions.map((extension) => [`assets/types/a.${extension}`, long(extension)])),
  'assets/UPPER.CSS': 'b{}',
  'assets/jquery.min.js': 'void 0',
  'assets/film.mp4': film,
  'assets/größe (1).css': 'umlaut',
  'assets/css/draft.css': 'draft',
}

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  const bold = aSite({ account: 'bold', files: { 'pages/launch.html': 'bold', 'assets/bold.css': 'bold' } })
  box = await Box.start([aSite({ files, previews: ['assets/css/draft.css'] }), bold])
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

const asset = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  bytesAnswer(box, visit(`/assets/${path}`, { method, headers }))

const textOf = ({ bytes }: { bytes: Uint8Array }): string => new TextDecoder().decode(bytes)

describe('an asset', () => {
  test.each(Object.entries(typeByExtension))('.%s is %s, and kept for five minutes', async (extension, type) => {
    const answer = await asset(`types/a.${extension}`)
    expect(textOf(answer)).toBe(long(extension))
    expect(headersOf(answer, 'content-type', 'x-content-type-options', 'cache-control', 'set-cookie')).toEqual({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': kept,
      'set-cookie': null,
    })
  })

  test.each(extensions)('.%s is compressed where that is worth it', async (extension) => {
    const answer = await asset(`types/a.${extension}`, { 'accept-encoding': 'gzip, br' })
    const encoding = compressed.includes(extension) ? 'br' : null
    expect(headersOf(answer, 'content-encoding', 'vary')).toEqual({
      'content-encoding': encoding,
      vary: encoding && 'Accept-Encoding',
    })
    expect(encoding ? brotliDecompressSync(answer.bytes).toString() : textOf(answer)).toBe(long(extension))
  })

  test('is compressed by gzip for a client that takes no other', async () => {
    expect(gunzipSync((await asset('types/a.css', { 'accept-encoding': 'gzip' })).bytes).toString()).toBe(long('css'))
  })

  test.each(['svg', 'xml'])('.%s runs nothing when it is opened by itself', async (extension) => {
    expect(headersOf(await asset(`types/a.${extension}`), 'content-security-policy')).toEqual({
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
  })

  test.each([
    ['in capitals', 'UPPER.CSS', 'text/css; charset=utf-8'],
    ['with several dots', 'jquery.min.js', 'text/javascript; charset=utf-8'],
    ['percent-encoded', encodeURIComponent('größe (1).css'), 'text/css; charset=utf-8'],
    ['with a query', 'types/a.css?v=3', 'text/css; charset=utf-8'],
  ])('is found by a name %s', async (_how, path, type) => {
    expect(headersOf(await asset(path), 'content-type')).toEqual({ 'content-type': type })
  })

  test.each(['identity', 'gzip', 'br'])('is 304 for a client that has its %s version', async (encoding) => {
    const headers = { 'accept-encoding': encoding }
    const etag = (await asset('types/a.css', headers)).headers.get('etag') ?? ''
    const answer = await asset('types/a.css', { ...headers, 'if-none-match': etag })
    expect(answer).toMatchObject({ status: 304, bytes: new Uint8Array() })
    expect(headersOf(answer, 'etag', 'cache-control')).toEqual({ etag, 'cache-control': kept })
  })

  test('is sent in parts, as players ask for films', async () => {
    expect(partOf(await asset('film.mp4', { range: 'bytes=100-199' }))).toEqual(expectedPart(film, 100, 199))
    expect(partOf(await asset('film.mp4'))).toEqual(expectedWhole(film))
  })

  test('has the headers of GET for HEAD, and no bytes', async () => {
    const names = ['content-type', 'etag', 'cache-control', 'accept-ranges', 'x-content-type-options']
    const head = await asset('film.mp4', {}, 'HEAD')
    expect(head).toMatchObject({ status: 200, bytes: new Uint8Array() })
    expect(headersOf(head, ...names)).toEqual(headersOf(await asset('film.mp4'), ...names))
    expect(head.headers.get('content-length')).toBe('1000')
  })

  test('takes nothing that is posted', async () => {
    const answer = await asset('film.mp4', {}, 'POST')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

test('a page may have the slug assets', async () => {
  expect((await box.send(visit('/assets'))).text).toBe(files['pages/assets.html'])
  expect((await asset('')).headers.get('location')).toBe('/assets')
})

test.each([
  ['an unknown path', 'unknown.css'],
  ['a preview', 'css/draft.css'],
  ['a folder', 'css'],
  ['a folder', 'types/'],
  ['other letters', 'types/A.css'],
  ['another account’s', 'bold.css'],
  ['an image', 'hero.png'],
  ['an encoded slash', 'types%2Fa.css'],
  ['a traversal', '%2e%2e/site.toml'],
  ['a traversal', 'types%2F..%2Ffilm.mp4'],
  ['malformed percent-encoding', 'film.mp4%'],
])('there is none at %s: %p', async (_what, path) => {
  expect((await asset(path)).status).toBe(404)
})

describe('on the preview host', () => {
  const host = 'preview.localhost'
  const open = (path: string, referer?: string) =>
    bytesAnswer(box, visit(path, { host, headers: { ...(referer && { referer: `http://${host}${referer}` }) } }))
  const pageOf = (account = 'acme', options: object = {}) =>
    keys.previewPath(`/_preview/${keys.assetId('pages/launch.html', account)}`, { account, ...options })
  const signed = (path: string, options: object = {}) => keys.signedSitePath(options) + path

  test('what a previewed page refers to is there below a signed path, whatever its state', async () => {
    const location = (await open('/assets/css/draft.css?v=2', pageOf())).headers.get('location') ?? ''
    expect(location).toMatch(/^\/_preview\/site\/acme\.\d+\.[\w-]{43}\/assets\/css\/draft\.css\?v=2$/)
    const answer = await open(location)
    expect(textOf(answer)).toBe('draft')
    expect(headersOf(answer, 'content-type', 'cache-control', 'x-robots-tag', 'access-control-allow-origin')).toEqual({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
      'access-control-allow-origin': '*',
    })
  })

  test.each(['/assets/film.mp4', '/_preview/assets/film.mp4'])('%s is found from the page', async (path) => {
    expect((await open(path, pageOf())).status).toBe(302)
  })

  test.each([
    ['/assets/film.mp4', 302],
    ['/_svc/img/hero.png', 200],
    ['/_svc/file/sheet.pdf', 200],
  ])('%s is found from what is below a signed path, and there too', async (path, status) => {
    expect((await open(path, signed('/assets/types/a.css'))).status).toBe(status)
    expect((await open(signed(path))).status).toBe(200)
  })

  test.each([
    ['no Referer', () => undefined],
    ['an unsigned one', () => '/_preview/zzzzzzzz'],
    ['an expired one', () => pageOf('acme', { expiresInSeconds: -1 })],
    ['another account’s', () => pageOf('bold')],
  ])('there is nothing for %s', async (_what, referer) => {
    expect((await open('/assets/film.mp4', referer())).status).toBe(404)
  })

  test.each([
    ['another handle', () => signed('/assets/bold.css').replace('acme.', 'bold.')],
    ['an unknown handle', () => signed('/assets/film.mp4').replace('acme.', 'nobody.')],
    ['a later end', () => signed('/assets/film.mp4').replace(/\.(\d+)\./, (_, at) => `.${Number(at) + 1}.`)],
    ['no signature', () => '/_preview/site/acme/assets/film.mp4'],
    ['an empty one', () => '/_preview/site/acme../assets/film.mp4'],
    ['more than one', () => signed('.x/assets/film.mp4')],
  ])('a path with %s is refused', async (_what, path) => {
    expect((await open(path())).status).toBe(403)
  })

  test('a path whose time is over says so', async () => {
    const answer = await open(signed('/assets/film.mp4', { expiresInSeconds: -1 }))
    expect([answer.status, textOf(answer).includes('has expired')]).toEqual([403, true])
  })

  test.each(['/assets/unknown.css', '/assets/bold.css', '/pages/launch.html', '/launch', '/', ''])(
    'there is nothing at %p below a signed path',
    async (path) => {
      expect((await open(signed(path))).status).toBe(404)
    },
  )

  test('`capture preview` prints an address of one', async () => {
    const { stdout } = await box.run(['preview', 'acme', 'asset', 'css/draft.css'])
    expect(stdout).toContain('/_preview/asset/')
    expect(textOf(await open(stdout.slice(stdout.indexOf('/_preview/')).trim()))).toBe('draft')
  })
})
