// Spec, "Preview surfaces", and docs/previews.md.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { eventually } from '../harness/eventually.ts'
import { settledPageViews } from '../harness/page-views.ts'
import { expectedPart, partOf } from '../harness/parts.ts'
import { bytesAnswer, distinctBytes, headersOf, visit } from '../harness/visits.ts'

const host = 'preview.localhost'
const draft = '<!doctype html><title>Draft</title><img src="/_svc/img/draft.png">'
const image = distinctBytes(1000)

const files = {
  'pages/draft.html': draft,
  'pages/live.html': '<title>Live</title>',
  'img/draft.png': image,
  'img/live.png': 'live image',
  'img/draft.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'files/draft.pdf': 'draft file',
  'files/live.pdf': 'live file',
}
const previews = ['pages/draft.html', 'img/draft.png', 'img/draft.svg', 'files/draft.pdf']

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  const acme = aSite({ files, previews, robots: 'index', home: 'live' })
  const bold = aSite({
    account: 'bold',
    files: { ...files, 'img/bold-only.png': 'bold only' },
    previews: [...previews, 'img/bold-only.png'],
  })
  box = await Box.start([acme, bold])
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

const prefixOf = { pages: '/_preview/', img: '/_preview/img/', files: '/_preview/file/' }

/** The path of a preview, without its signature. */
function pathOf(asset: string, account = 'acme'): string {
  const folder = asset.slice(0, asset.indexOf('/')) as keyof typeof prefixOf
  return prefixOf[folder] + keys.assetId(asset, account)
}

const signed = (asset: string, account = 'acme') => keys.previewPath(pathOf(asset, account), { account })

const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  bytesAnswer(box, visit(path, { host, headers, method }))

const text = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes)

const everyKind = Object.entries(files)

describe('a signed address', () => {
  test.each(everyKind)('shows %s, whatever its state', async (asset, content) => {
    const { status, bytes } = await open(signed(asset))
    expect(status).toBe(200)
    expect(bytes).toEqual(typeof content === 'string' ? new Uint8Array(new TextEncoder().encode(content)) : content)
  })

  test('of a page is HTML', async () => {
    expect(headersOf(await open(signed('pages/draft.html')), 'content-type')).toEqual({
      'content-type': 'text/html; charset=utf-8',
    })
  })

  test('of an image has its type, and keeps an SVG from running', async () => {
    const answer = await open(signed('img/draft.svg'))
    expect(headersOf(answer, 'content-type', 'content-security-policy', 'x-content-type-options')).toEqual({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  })

  test('of a file is a download', async () => {
    expect(headersOf(await open(signed('files/draft.pdf')), 'content-disposition')).toEqual({
      'content-disposition': 'attachment; filename="draft.pdf"',
    })
  })

  test('answers parts', async () => {
    expect(partOf(await open(signed('img/draft.png'), { range: 'bytes=10-19' }))).toEqual(expectedPart(image, 10, 19))
  })

  test('answers HEAD without the bytes', async () => {
    expect(await open(signed('pages/draft.html'), {}, 'HEAD')).toMatchObject({ status: 200, bytes: new Uint8Array() })
  })

  test.each([
    ['a port', `${host}:8443`],
    ['capitals', 'Preview.LOCALHOST'],
    ['a trailing dot', `${host}.`],
  ])('works on the preview host written with %s', async (_what, written) => {
    expect((await box.send(visit(signed('pages/draft.html'), { host: written }))).text).toBe(draft)
  })

  test.each(everyKind.map(([asset]) => asset))('is never indexed and never kept: %s', async (asset) => {
    expect(headersOf(await open(signed(asset)), 'x-robots-tag', 'cache-control')).toEqual({
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-store',
    })
  })

  test.each(everyKind.map(([asset]) => asset))('sets no cookie: %s', async (asset) => {
    expect((await open(signed(asset))).headers.getSetCookie()).toEqual([])
  })

  test('captures nothing', async () => {
    await open(`${signed('pages/live.html')}`)
    await open(`${signed('pages/draft.html')}`)
    const views = await settledPageViews(box, '/live')
    expect(views.filter(({ source }) => source.host === host)).toEqual([])
    expect(views.filter(({ properties }) => String(properties.url).includes('_preview'))).toEqual([])
  })
})

describe('any other address is refused with 403', () => {
  const tampered: [what: string, tamper: (path: string, query: URLSearchParams) => string][] = [
    ['without a query', (path) => path],
    ['without a signature', (path, query) => `${path}?exp=${query.get('exp')}`],
    ['without a time', (path, query) => `${path}?sig=${query.get('sig')}`],
    ['with an empty signature', (path, query) => `${path}?exp=${query.get('exp')}&sig=`],
    ['with a later time', (path, query) => `${path}?exp=${Number(query.get('exp')) + 1}&sig=${query.get('sig')}`],
    ['with a time written otherwise', (path, query) => `${path}?exp=0${query.get('exp')}&sig=${query.get('sig')}`],
    ['with a time as a fraction', (path, query) => `${path}?exp=${query.get('exp')}.0&sig=${query.get('sig')}`],
    ['with a time that never comes', (path, query) => `${path}?exp=Infinity&sig=${query.get('sig')}`],
    ['with a second time', (path, query) => `${path}?exp=99999999999&${query}`],
    ['with a second signature', (path, query) => `${path}?${query}&sig=x`],
    ['with a changed signature', (path, query) => `${path}?exp=${query.get('exp')}&sig=${changed(query.get('sig'))}`],
    ['with a longer signature', (path, query) => `${path}?exp=${query.get('exp')}&sig=${query.get('sig')}A`],
  ]

  test.each(tampered)('%s', async (_what, tamper) => {
    const [path = '', query = ''] = signed('pages/draft.html').split('?')
    expect((await open(tamper(path, new URLSearchParams(query)))).status).toBe(403)
  })

  test.each(everyKind.map(([asset]) => asset))('that has expired: %s', async (asset) => {
    const answer = await open(keys.previewPath(pathOf(asset), { expiresInSeconds: -1 }))
    expect(answer.status).toBe(403)
    expect(text(answer)).not.toContain('raft')
  })

  test.each([
    ['another page', 'pages/live.html', 'pages/draft.html'],
    ['an image', 'pages/draft.html', 'img/draft.png'],
    ['a file', 'img/draft.png', 'files/draft.pdf'],
  ])('that was signed for something else than %s', async (_what, signedFor, wanted) => {
    const query = signed(signedFor).split('?')[1]
    expect((await open(`${pathOf(wanted)}?${query}`)).status).toBe(403)
  })

  test('that was signed for another account', async () => {
    expect((await open(keys.previewPath(pathOf('pages/draft.html'), { account: 'bold' }))).status).toBe(403)
  })

  test('that was signed for an image under the address of a page', async () => {
    expect((await open(keys.previewPath(`/_preview/${keys.assetId('img/draft.png')}`))).status).toBe(403)
  })

  test('that names nothing there is, and is answered as any other', async () => {
    const unknown = await open(keys.previewPath('/_preview/zzzzzzzz'))
    const unsigned = await open(pathOf('pages/draft.html'))
    expect([unknown.status, text(unknown)]).toEqual([403, text(unsigned)])
  })

  test('with a page that is not indexed, not kept, and no cookie', async () => {
    const answer = await open(pathOf('pages/draft.html'))
    expect(headersOf(answer, 'content-type', 'x-robots-tag', 'cache-control', 'set-cookie')).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-store',
      'set-cookie': null,
    })
  })
})

describe('on a connected domain', () => {
  test.each(everyKind.map(([asset]) => asset))('a signed preview address is 404: %s', async (asset) => {
    expect((await box.send(visit(signed(asset)))).status).toBe(404)
  })

  test.each(['/draft', '/_svc/img/draft.png', '/_svc/img/draft.svg', '/_svc/file/draft.pdf'])(
    'what is in preview is 404 by its live address, even for a signed Referer: %s',
    async (path) => {
      const referer = `http://${host}${signed('pages/draft.html')}`
      expect((await box.send(visit(path, { headers: { referer } }))).status).toBe(404)
    },
  )
})

describe('a previewed page’s own images and files', () => {
  const refererOf = (asset = 'pages/draft.html', account = 'acme') => `http://${host}${signed(asset, account)}`

  test.each([
    ['/_svc/img/draft.png', 'img/draft.png'],
    ['/_svc/img/live.png', 'img/live.png'],
    ['/_svc/file/draft.pdf', 'files/draft.pdf'],
    ['/_svc/file/live.pdf', 'files/live.pdf'],
  ] as const)('are there, whatever their state: %s', async (path, asset) => {
    const answer = await open(path, { referer: refererOf() })
    expect([answer.status, text(answer)]).toEqual([200, text({ bytes: new Uint8Array(Buffer.from(files[asset])) })])
  })

  test.each(['/_svc/img/draft.png', '/_svc/file/draft.pdf'])('are neither indexed nor kept: %s', async (path) => {
    const answer = await open(path, { referer: refererOf() })
    expect(headersOf(answer, 'x-robots-tag', 'cache-control', 'set-cookie')).toEqual({
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-store',
      'set-cookie': null,
    })
  })

  test('are neither indexed nor kept where a range is asked for that there is not', async () => {
    const answer = await open('/_svc/file/draft.pdf', { referer: refererOf(), range: 'bytes=99999-' })
    expect([answer.status, headersOf(answer, 'x-robots-tag', 'cache-control')]).toEqual([
      416,
      { 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'private, no-store' },
    ])
  })

  test('are those of the page’s account', async () => {
    const path = '/_svc/img/bold-only.png'
    expect((await open(path, { referer: refererOf() })).status).toBe(404)
    expect((await open(path, { referer: refererOf('pages/draft.html', 'bold') })).status).toBe(200)
  })

  test('are there on the preview host written with a trailing dot', async () => {
    const referer = `http://${host}.${signed('pages/draft.html')}`
    const answer = await box.send(visit('/_svc/img/draft.png', { host: `${host}.`, headers: { referer } }))
    expect(answer.status).toBe(200)
  })

  const referers: [what: string, referer: () => Record<string, string>][] = [
    ['without a Referer', () => ({})],
    ['with a Referer that is no address', () => ({ referer: 'preview' })],
    ['with the bare origin', () => ({ referer: `http://${host}/` })],
    ['with an unsigned one', () => ({ referer: `http://${host}${pathOf('pages/draft.html')}` })],
    [
      'with an expired one',
      () => ({
        referer: `http://${host}${keys.previewPath(pathOf('pages/draft.html'), { expiresInSeconds: -1 })}`,
      }),
    ],
    [
      'with one signed for another account',
      () => ({
        referer: `http://${host}${keys.previewPath(pathOf('pages/draft.html'), { account: 'bold' })}`,
      }),
    ],
    ['with a signed one on another host', () => ({ referer: `http://evil.test${signed('pages/draft.html')}` })],
    ['with a signed one behind another host', () => ({ referer: `http://evil.test/${refererOf()}` })],
    ['with a signed one on another port', () => ({ referer: `http://${host}:1${signed('pages/draft.html')}` })],
    ['with a signed one on HTTPS', () => ({ referer: `https://${host}${signed('pages/draft.html')}` })],
  ]

  test.each(referers)('are 404 %s', async (_what, referer) => {
    expect((await open('/_svc/img/draft.png', referer())).status).toBe(404)
    expect((await open('/_svc/file/draft.pdf', referer())).status).toBe(404)
  })

  test.each(['/_svc/img/unknown.png', '/_svc/file/unknown.pdf'])('are 404 where there are none: %s', async (path) => {
    expect((await open(path, { referer: refererOf() })).status).toBe(404)
  })
})

describe('everything else on the preview host is 404', () => {
  test.each([
    '/',
    '/live',
    '/draft',
    '/_preview',
    '/_preview/',
    '/_preview/img/',
    '/_svc/rc',
    '/_svc/v1.js',
    '/_svc/c/x',
    '/unknown',
  ])('%s', async (path) => {
    expect((await open(path, { referer: `http://${host}${signed('pages/draft.html')}` })).status).toBe(404)
  })

  test.each(['/_svc/f/contact1', '/_svc/e'])('POST %s', async (path) => {
    const answer = await box.send(
      visit(path, { host, method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
    )
    expect(answer.status).toBe(404)
  })
})

describe('`capture preview`', () => {
  const printed = async (...argv: string[]): Promise<string> => {
    const { status, stdout, stderr } = await box.run(['preview', 'acme', ...argv])
    if (status !== 0) throw new Error(`no address was printed: ${stderr}`)
    return stdout.slice(stdout.indexOf('/_preview/')).trim()
  }

  test.each([
    ['page', 'pages/draft.html'],
    ['img', 'img/draft.svg'],
    ['file', 'files/draft.pdf'],
  ] as const)('prints an address that works: %s', async (kind, asset) => {
    const answer = await open(await printed(kind, keys.assetId(asset)))
    expect([answer.status, text(answer)]).toEqual([200, files[asset]])
  })

  test('prints addresses that stop to work at once when the key is rotated', async () => {
    const before = await printed('page', keys.assetId('pages/draft.html'))
    expect((await open(before)).status).toBe(200)
    expect((await box.run(['secret', 'rotate', 'preview'])).status).toBe(0)
    await eventually('the old key verifies no more', async () => (await open(before)).status === 403)
    expect((await open(await printed('page', keys.assetId('pages/draft.html')))).status).toBe(200)
    keys = await BoxKeys.of(box)
  })
})

/** Another first letter. */
const changed = (sig: string | null): string => (sig?.startsWith('A') ? 'B' : 'A') + (sig ?? '').slice(1)
