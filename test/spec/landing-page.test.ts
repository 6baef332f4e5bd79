// Spec, "Landing page: `GET /<slug>`".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { RawConnection, rawRequest } from '../harness/raw-http.ts'
import { bytesAnswer, headersOf, visit } from '../harness/visits.ts'

const utf8 = new TextEncoder()

/** Without a doctype, with tags left open, markup that a parser would mend, a byte order mark and a NUL. */
const oddBytes = utf8.encode(
  '\uFEFF<p>one<P>two & <img src=x>\r\n<script src="/_svc/v1.js"></script>\n<b><i></b></i>\u0000é\r',
)
const longPage = `<!doctype html><title>Long</title>${'<p>The same words again and again.</p>\n'.repeat(200)}`

const files = {
  'pages/launch.html': '<!doctype html><title>Launch</title><h1>Launch</h1>',
  'pages/Launch2.html': '<!doctype html><title>Upper</title>',
  'pages/odd.html': oddBytes,
  'pages/empty.html': '',
  'pages/long.html': longPage,
  'pages/v1.0_a-b.html': '<title>Punctuation</title>',
  'pages/draft.html': '<title>Draft</title>',
}

let box: Box

beforeAll(async () => {
  const acme = aSite({ files, previews: ['pages/draft.html'], robots: 'noindex, nofollow', home: 'launch' })
  const bold = aSite({ account: 'bold', files: { 'pages/open.html': '<title>Open</title>' } })
  box = await Box.start([acme, bold])
}, boxStartMsMax)

afterAll(() => box.stop())

const accepting = (encoding: string) => ({ headers: { 'accept-encoding': encoding } })

describe('a live page', () => {
  test('is served as HTML that is asked for at every view', async () => {
    const answer = await box.send(visit('/launch'))
    expect<object>({ status: answer.status, ...headersOf(answer, 'content-type', 'cache-control') }).toEqual({
      status: 200,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache',
    })
  })

  test.each(Object.entries(files).filter(([path]) => path !== 'pages/draft.html'))(
    'has exactly the published bytes: %s',
    async (path, content) => {
      const { bytes } = await bytesAnswer(box, visit(`/${path.slice('pages/'.length, -'.html'.length)}`))
      expect(bytes).toEqual(new Uint8Array(typeof content === 'string' ? utf8.encode(content) : content))
    },
  )

  test('is served with any query', async () => {
    expect((await box.send(visit('/launch?utm_source=a&x=%ff'))).status).toBe(200)
  })

  test('may be named with its letters percent-encoded', async () => {
    expect((await box.send(visit('/%6caunch'))).text).toBe(files['pages/launch.html'])
  })
})

describe('the robots posture', () => {
  test('is a response header', async () => {
    expect(headersOf(await box.send(visit('/launch')), 'x-robots-tag')).toEqual({ 'x-robots-tag': 'noindex, nofollow' })
  })

  test('is absent where the account has none', async () => {
    expect(headersOf(await box.send(visit('/open', { account: 'bold' })), 'x-robots-tag')).toEqual({
      'x-robots-tag': null,
    })
  })
})

describe('compression', () => {
  const brotli = (bytes: Uint8Array) => new Uint8Array(brotliDecompressSync(bytes))
  const gunzip = (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes))

  test.each([
    ['br', 'br', brotli],
    ['gzip', 'gzip', gunzip],
    ['gzip, deflate, br, zstd', 'br', brotli],
    ['br;q=0, gzip', 'gzip', gunzip],
    ['GZIP', 'gzip', gunzip],
    ['*', 'br', brotli],
  ])('follows what the client accepts: %s', async (accepted, used, decoded) => {
    const answer = await bytesAnswer(box, visit('/long', accepting(accepted)))
    expect(headersOf(answer, 'content-encoding', 'vary')).toEqual({ 'content-encoding': used, vary: 'Accept-Encoding' })
    expect(decoded(answer.bytes)).toEqual(new Uint8Array(utf8.encode(longPage)))
  })

  test.each(['identity', 'deflate', 'zstd', 'br;q=0, gzip;q=0', ''])(
    'is left out for a client that says %p',
    async (accepted) => {
      const answer = await bytesAnswer(box, visit('/long', accepting(accepted)))
      expect(headersOf(answer, 'content-encoding', 'vary')).toEqual({
        'content-encoding': null,
        vary: 'Accept-Encoding',
      })
      expect(answer.bytes.length).toBe(longPage.length)
    },
  )

  test('is left out where it would save nothing', async () => {
    const answer = await bytesAnswer(box, visit('/v1.0_a-b', accepting('br, gzip')))
    expect(headersOf(answer, 'content-encoding')).toEqual({ 'content-encoding': null })
  })
})

describe('the ETag', () => {
  const etagOf = async (path: string, encoding = 'identity') =>
    (await bytesAnswer(box, visit(path, accepting(encoding)))).headers.get('etag') ?? ''

  test('is strong: one for each encoding', async () => {
    const etags = [await etagOf('/long'), await etagOf('/long', 'gzip'), await etagOf('/long', 'br')]
    expect(etags.filter((etag) => /^"[^"]+"$/.test(etag))).toEqual(etags)
    expect(new Set(etags).size).toBe(3)
  })

  test.each(['identity', 'gzip', 'br'])(
    'answers 304 without bytes to a client that has the %s version',
    async (encoding) => {
      const etag = await etagOf('/long', encoding)
      const headers = { 'accept-encoding': encoding, 'if-none-match': etag }
      const answer = await bytesAnswer(box, visit('/long', { headers }))
      expect<object>({
        status: answer.status,
        length: answer.bytes.length,
        ...headersOf(answer, 'etag', 'cache-control'),
      }).toEqual({
        status: 304,
        length: 0,
        etag,
        'cache-control': 'private, no-cache',
      })
    },
  )

  test('answers 304 with the robots header too', async () => {
    const answer = await box.send(visit('/long', { headers: { 'if-none-match': await etagOf('/long') } }))
    expect(headersOf(answer, 'x-robots-tag')).toEqual({ 'x-robots-tag': 'noindex, nofollow' })
  })

  test.each([
    ['in a list', (etag: string) => `"other", ${etag}`],
    ['as a weak one', (etag: string) => `W/${etag}`],
    ['as any', () => '*'],
  ])('is recognised %s', async (_how, written) => {
    const headers = { 'if-none-match': written(await etagOf('/long')) }
    expect((await box.send(visit('/long', { headers }))).status).toBe(304)
  })

  test('of other bytes is answered with the page', async () => {
    const headers = { 'if-none-match': await etagOf('/launch') }
    expect((await box.send(visit('/long', { headers }))).text).toBe(longPage)
  })

  test('of another encoding is answered with the page', async () => {
    const headers = { 'accept-encoding': 'identity', 'if-none-match': await etagOf('/long', 'br') }
    expect((await box.send(visit('/long', { headers }))).status).toBe(200)
  })
})

describe('HEAD', () => {
  test.each(['identity', 'gzip', 'br'])('is answered as GET without the bytes (%s)', async (encoding) => {
    const names = [
      'content-type',
      'etag',
      'cache-control',
      'x-robots-tag',
      'content-encoding',
      'vary',
      'content-length',
    ]
    const whole = await bytesAnswer(box, visit('/long', accepting(encoding)))
    const head = await bytesAnswer(box, visit('/long', { method: 'HEAD', ...accepting(encoding) }))
    expect<object>({ status: head.status, bytes: head.bytes.length, ...headersOf(head, ...names) }).toEqual({
      status: 200,
      bytes: 0,
      ...headersOf(whole, ...names),
      'content-length': String(whole.bytes.length),
    })
  })

  test('of an unknown page is 404 without a body', async () => {
    const answer = await box.send(visit('/unknown', { method: 'HEAD' }))
    expect<object>({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: '' })
  })
})

describe('what is no live page', () => {
  test.each([
    ['an unknown slug', '/unknown'],
    ['a preview', '/draft'],
    ['something below a slug', '/launch/more'],
    ['a slug in other letters', '/LAUNCH'],
    ['a slug in other letters', '/launch2'],
    ['a file name', '/launch.html'],
    ['a path of the folder', '/pages/launch'],
    ['a path of the folder', '/pages/launch.html'],
    ['the folder’s own file', '/site.toml'],
    ['an encoded slash', '/%2Flaunch'],
    ['an encoded slash behind it', '/launch%2F'],
    ['a null byte behind it', '/launch%00'],
    ['malformed percent-encoding', '/launch%zz'],
    ['a very long one', `/${'a'.repeat(5000)}`],
    ['the reserved prefix', '/_svc'],
    ['the reserved prefix', '/_svc/'],
    ['nothing below the reserved prefix', '/_svc/nothing'],
    ['the reserved prefix', '/_preview'],
    ['a name that objects have', '/__proto__'],
  ])('is 404: %s (%s)', async (_what, path) => {
    expect((await box.send(visit(path))).status).toBe(404)
  })

  test('is 404: an empty segment before a slug', async () => {
    // Clients that build a URL first would leave the second slash out.
    using connection = await RawConnection.open(box.port)
    await connection.say(rawRequest(['GET //launch HTTP/1.1', 'Host: go.acme.test']))
    expect((await connection.answer())?.status).toBe(404)
  })

  test('is answered with a small page that repeats nothing of the request', async () => {
    const answer = await box.send(visit('/unknown-slug?q=<script>alert(1)</script>'))
    expect(headersOf(answer, 'content-type')).toEqual({ 'content-type': 'text/html; charset=utf-8' })
    expect(answer.text).toMatch(/^<!doctype html>/)
    expect(answer.text).not.toMatch(/unknown-slug|alert/)
    expect(answer.text.length).toBeLessThan(2000)
  })

  test('sets no cookie', async () => {
    expect((await box.send(visit('/unknown'))).headers.getSetCookie()).toEqual([])
  })
})

describe('`/`', () => {
  test('is the account’s home', async () => {
    expect((await box.send(visit('/'))).text).toBe(files['pages/launch.html'])
  })

  test('without a home is 404', async () => {
    expect((await box.send(visit('/', { account: 'bold' }))).status).toBe(404)
  })
})

describe('POST to a page', () => {
  const post = (path: string, account = 'acme') =>
    box.send(
      visit(path, {
        account,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'email=ada%40example.test',
      }),
    )

  test.each(['/launch', '/'])('says that nothing was sent, and why: %s', async (path) => {
    const answer = await post(path)
    expect<object>({ status: answer.status, ...headersOf(answer, 'allow', 'content-type') }).toEqual({
      status: 405,
      allow: 'GET, HEAD',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(answer.text).toMatch(/nothing was sent/i)
    expect(answer.text).toMatch(/JavaScript/)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test.each([
    ['an unknown page', '/unknown', 'acme'],
    ['a preview', '/draft', 'acme'],
    ['no home', '/', 'bold'],
  ])('of %s is 404', async (_what, path, account) => {
    expect((await post(path, account)).status).toBe(404)
  })
})
