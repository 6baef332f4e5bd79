// Spec, Endpoints, and docs/forms.md, "Errors".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { errorCode } from '../harness/http.ts'
import { headersOf, visit } from '../harness/visits.ts'

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  const files = { 'pages/launch.html': '<title>Launch</title>', 'img/a.png': 'a', 'files/a.pdf': 'a' }
  box = await Box.start([aSite({ files, home: 'launch' })])
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

const writing = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

function cases(paths: string[], methods: string[]): [method: string, path: string][] {
  return paths.flatMap((path) => methods.map((method): [string, string] => [method, path]))
}

async function expectRefused(method: string, path: string, allow: string, host = 'go.acme.test'): Promise<void> {
  const answer = await box.send(visit(path, { method, host }))
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
  expect(headersOf(answer, 'location', 'set-cookie')).toEqual({ location: null, 'set-cookie': null })
}

describe('what is read', () => {
  const paths = ['/_svc/v1.js', '/_svc/rc', '/_svc/rc?f=contact1', '/_svc/img/a.png', '/_svc/file/a.pdf']

  test.each(cases(paths, writing))('%s %s is 405 and names GET and HEAD', async (method, path) => {
    await expectRefused(method, path, 'GET, HEAD')
  })

  test.each(writing)('%s of a good click link is 405, and redirects nobody', async (method) => {
    await expectRefused(method, keys.clickPath('http://go.acme.test/launch'), 'GET, HEAD')
  })

  test('says so in JSON', async () => {
    expect(errorCode(await box.send(visit('/_svc/rc', { method: 'DELETE' })))).toBe('method_not_allowed')
  })
})

describe('what is posted to', () => {
  const reading = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']

  test.each(cases(['/_svc/f/contact1', '/_svc/e'], reading))(
    '%s %s is 405 and names POST and OPTIONS',
    async (method, path) => {
      await expectRefused(method, path, 'POST, OPTIONS')
    },
  )
})

describe('a page', () => {
  test.each(cases(['/launch', '/'], writing))('%s %s is 405 and names GET and HEAD', async (method, path) => {
    await expectRefused(method, path, 'GET, HEAD')
  })
})

describe('a preview', () => {
  const previews: [asset: string, prefix: string][] = [
    ['pages/launch.html', '/_preview/'],
    ['img/a.png', '/_preview/img/'],
    ['files/a.pdf', '/_preview/file/'],
  ]

  test.each(previews)('that is signed answers no POST: %s', async (asset, prefix) => {
    const path = keys.previewPath(prefix + keys.assetId(asset))
    await expectRefused('POST', path, 'GET, HEAD', 'preview.localhost')
  })

  test.each(previews)('has no such path on a connected domain: %s', async (asset, prefix) => {
    const path = keys.previewPath(prefix + keys.assetId(asset))
    expect((await box.send(visit(path, { method: 'POST' }))).status).toBe(404)
  })
})

describe('what is nowhere stays 404', () => {
  test.each(
    cases(['/unknown', '/_svc/unknown', '/_svc/f', '/_svc/f/contact1/x', '/launch/x'], ['GET', 'POST', 'DELETE']),
  )('%s %s', async (method, path) => {
    expect((await box.send(visit(path, { method }))).status).toBe(404)
  })
})
