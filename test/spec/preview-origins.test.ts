// docs/previews.md, "Whose origin a page has".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { headersOf, visit } from '../harness/visits.ts'

const host = 'preview.localhost'
const files = {
  'pages/draft.html': '<!doctype html><title>Draft</title><img src="/_svc/img/draft.png">',
  'img/draft.png': 'an image',
  'files/font.woff2': 'a font',
}
const previews = Object.keys(files)
const sandbox =
  'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts'

const browser = { 'sec-fetch-dest': 'document' }

async function aBox(subdomains: boolean) {
  const sites = [aSite({ files, previews }), aSite({ account: 'bold', files, previews })]
  const box = await Box.start(sites, { server: { preview_subdomains: subdomains } })
  const keys = await BoxKeys.of(box)
  const signed = (prefix: string, asset: string, account = 'acme') =>
    keys.previewPath(prefix + keys.assetId(asset, account), { account })
  const open = (path: string, at: string, headers: Record<string, string> = {}) =>
    box.send(visit(path, { host: at, headers }))
  return { box, keys, signed, open, page: (account = 'acme') => signed('/_preview/', 'pages/draft.html', account) }
}

describe('on the preview host, which all accounts share,', () => {
  let made: Awaited<ReturnType<typeof aBox>>
  beforeAll(async () => {
    made = await aBox(false)
  }, boxStartMsMax)
  afterAll(() => made.box.stop())

  test('a page has an origin that nothing else has', async () => {
    const { headers } = await made.open(made.page(), host)
    expect(headers.get('content-security-policy')).toBe(sandbox)
    expect(sandbox).not.toContain('allow-same-origin')
  })

  test('a page is what was published, byte for byte, for a program', async () => {
    expect((await made.open(made.page(), host)).text).toBe(files['pages/draft.html'])
  })

  test('a browser’s page refers to signed addresses, since it cannot say whose it is', async () => {
    const { text, headers } = await made.open(made.page(), host, browser)
    const [, src = ''] = /<img src="([^"]+)">/.exec(text) ?? []
    expect(src).toStartWith(`/_preview/img/${made.keys.assetId('img/draft.png')}?exp=`)
    expect((await made.open(src, host)).text).toBe('an image')
    expect(headersOf({ headers }, 'content-security-policy', 'cache-control', 'x-robots-tag')).toEqual({
      'content-security-policy': sandbox,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
    })
  })

  test('the addresses in a page work no longer than the page’s own', async () => {
    const path = made.keys.previewPath(`/_preview/${made.keys.assetId('pages/draft.html')}`, { expiresInSeconds: 60 })
    const exp = new URLSearchParams(path.split('?')[1]).get('exp')
    expect((await made.open(path, host, browser)).text).toContain(`?exp=${exp}&sig=`)
  })

  test.each([
    ['/_preview/img/', 'img/draft.png'],
    ['/_preview/file/', 'files/font.woff2'],
  ])('%s can be read by a page without an origin', async (prefix, asset) => {
    const { headers } = await made.open(made.signed(prefix, asset), host, { origin: 'null' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('an account’s name below it is nobody’s host', async () => {
    expect((await made.open(made.page(), `acme.${host}`)).status).toBe(404)
  })
})

describe('where each account has a subdomain of the preview host', () => {
  let made: Awaited<ReturnType<typeof aBox>>
  beforeAll(async () => {
    made = await aBox(true)
  }, boxStartMsMax)
  afterAll(() => made.box.stop())

  const printed = async (...argv: string[]) => new URL((await made.box.run(['preview', ...argv])).stdout.trim())

  test('addresses of its pages, images and files are printed with it', async () => {
    expect((await printed('acme', 'page', 'draft')).hostname).toBe(`acme.${host}`)
    expect((await printed('acme', 'img', 'draft.png')).hostname).toBe(`acme.${host}`)
    expect((await printed('acme', 'file', 'font.woff2')).hostname).toBe(`acme.${host}`)
  })

  test('a page there is as it was published, without a sandbox', async () => {
    const { text, headers } = await made.open(made.page(), `acme.${host}`, browser)
    expect(text).toBe(files['pages/draft.html'])
    expect(headers.get('content-security-policy')).toBeNull()
  })

  test('its images come for its Referer', async () => {
    const referer = `http://acme.${host}${made.page()}`
    expect((await made.open('/_svc/img/draft.png', `acme.${host}`, { referer })).text).toBe('an image')
  })

  test('another account’s page is refused there, and so are its images', async () => {
    expect((await made.open(made.page('bold'), `acme.${host}`)).status).toBe(403)
    const referer = `http://acme.${host}${made.page('bold')}`
    expect((await made.open('/_svc/img/draft.png', `acme.${host}`, { referer })).status).toBe(404)
  })

  test('the preview host still answers, with a sandbox', async () => {
    const { status, headers } = await made.open(made.page(), host)
    expect([status, headers.get('content-security-policy')]).toEqual([200, sandbox])
  })

  test('the test page is on the preview host alone', async () => {
    const { hostname, pathname, search } = await printed('acme', 'test')
    expect(hostname).toBe(host)
    expect((await made.open(pathname + search, host)).status).toBe(200)
    expect((await made.open(pathname + search, `acme.${host}`)).status).toBe(404)
  })

  test('what a page there sends is refused, as from any origin that is not listed', async () => {
    const sent = visit('/_svc/f/contact1', {
      method: 'POST',
      headers: { origin: `http://acme.${host}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect((await made.box.send(sent)).status).toBe(403)
  })

  test('a name of no account is nobody’s host', async () => {
    expect((await made.open(made.page(), `nobody.${host}`)).status).toBe(404)
  })

  test('no account can connect a domain there', async () => {
    await expect(made.box.apply(aSite({ account: 'thief', domains: [`acme.${host}`] }))).rejects.toThrow(
      `acme.${host} is the platform preview host`,
    )
  })
})
