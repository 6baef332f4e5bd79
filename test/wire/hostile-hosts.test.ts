// No host, and nothing that a trusted proxy says of one, makes the service fail: 500 never.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { RawConnection, rawRequest } from '../harness/raw-http.ts'

/** Names that no URL can hold, or that our own reading and the runtime's may take differently. */
const strangeHosts = [
  '[::::]',
  '[::::]:80',
  '[:]',
  '[1.2.3.4]',
  '[::1]',
  '[::ffff:1.2.3.4]',
  '[fe80::1%25eth0]',
  '[12345::]',
  '[1:2:3:4:5:6:7:8:9]',
  '1.2.3.4.5',
  '999.999.999.999',
  'host.1',
  '0x',
  '0x1.0x2',
  '4294967296',
  'xn--a',
  'xn--0.test',
  'xn--',
  'a_b.test',
  '_',
  'go.acme.test.',
  'go.acme.test:00080',
  'preview.localhost.',
  'preview.localhost:1',
]
const goodHosts = ['go.acme.test', 'preview.localhost']

let box: Box
let paths: [method: string, path: string][]
/** A signed preview, as a page's Referer names it. */
let previewPath: string

beforeAll(async () => {
  const files = { 'pages/launch.html': 'x', 'img/a.png': 'x', 'files/a.pdf': 'x' }
  box = await Box.start([aSite({ files, home: 'launch' })], { server: { trusted_proxies: ['127.0.0.1/32'] } })
  const keys = await BoxKeys.of(box)
  previewPath = keys.previewPath(`/_preview/${keys.assetId('pages/launch.html')}`)
  const reads = [
    ...['/', '/launch', '/launch?u=http://x.test/y', '//launch', '/unknown', '/_svc/v1.js', '/_svc/rc?f=contact1'],
    ...['/_svc/l/de.js', '/_svc/l/xx.js', '/_svc/l/x', '/_svc/v1.d.ts', '/_svc/e.js', '/_svc/b/altcha.js'],
    ...[
      '/_svc/b',
      '/_svc/img/a.png',
      '/_svc/file/a.pdf',
      '/_svc/unknown',
      keys.clickPath('http://go.acme.test/launch'),
    ],
    ...[
      previewPath,
      previewPath.replace('sig=', 'sig=x'),
      '/_preview/unknown1?exp=1&sig=x',
      '/_preview/test?account=acme',
    ],
    ...['/_preview/img/a?exp=x', '/_preview/file/a', '/_preview/', '/%zz', '/%00'],
  ]
  const both = (path: string): [string, string][] => [
    ['GET', path],
    ['POST', path],
  ]
  paths = [...reads.flatMap(both), ['POST', '/_svc/f/contact1'], ['OPTIONS', '/_svc/e'], ['POST', '/_svc/e']]
}, boxStartMsMax)

afterAll(() => box.stop())

/** Every answer's status, over one connection as far as it lasts. */
async function statusesOf(headers: string[]): Promise<string[]> {
  const failed: string[] = []
  for (const [method, path] of paths) {
    using connection = await RawConnection.open(box.port)
    await connection.say(rawRequest([`${method} ${path} HTTP/1.1`, ...headers, 'Content-Length: 0']))
    const status = (await connection.answer())?.status ?? 0
    if (status < 200 || status >= 500) failed.push(`${status}: ${method} ${path} with ${headers.join(', ')}`)
  }
  return failed
}

test.each(strangeHosts)('Host: %s', async (host) => {
  expect(await statusesOf([`Host: ${host}`])).toEqual([])
})

test.each(strangeHosts)('Host: %s, and a proxy that names a good host', async (host) => {
  for (const good of goodHosts) {
    const referer = `Referer: http://${good}${previewPath}`
    expect(await statusesOf([`Host: ${host}`, `X-Forwarded-Host: ${good}`, referer])).toEqual([])
  }
})

test.each(strangeHosts)('a proxy that names %s', async (host) => {
  const forwarded = [`X-Forwarded-Host: ${host}`, `X-Forwarded-For: ${host}`, `X-Forwarded-Proto: ${host}`]
  for (const good of goodHosts) {
    expect(
      await statusesOf([`Host: ${good}`, ...forwarded, `Origin: http://${host}`, `Referer: http://${host}/`]),
    ).toEqual([])
  }
})

test('a Host in brackets that is no IPv6 address is 400, whatever a proxy says', async () => {
  for (const host of ['[::::]', '[1.2.3.4]', '[12345::]', '[:]']) {
    using connection = await RawConnection.open(box.port)
    const path = '/_preview/unknown1?exp=1&sig=x'
    await connection.say(rawRequest([`GET ${path} HTTP/1.1`, `Host: ${host}`, 'X-Forwarded-Host: preview.localhost']))
    expect((await connection.answer())?.status).toBe(400)
  }
})
