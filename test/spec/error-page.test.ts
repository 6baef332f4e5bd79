// docs/redirects.md, "A page of your own".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { settledPageViews } from '../harness/page-views.ts'
import { applyAnew, becomesLive } from '../harness/publishing.ts'
import { bytesAnswer, headersOf, visit } from '../harness/visits.ts'

const lost = `<!doctype html><title>Lost</title>${'<p>Nothing is here, but <a href="/">all else</a>.</p>\n'.repeat(60)}`
const acme = aSite({
  files: { 'pages/launch.html': '<title>Launch</title>', 'pages/404.html': lost },
  redirects: [{ from: '/spring', to: '/launch' }],
  robots: 'all',
})

let box: Box

beforeAll(async () => {
  box = await Box.start([acme, aSite({ account: 'bold' })])
}, boxStartMsMax)

afterAll(() => box.stop())

const nowhere = ['/unknown', '/', '/a/b', '/404.html', '/%ff', '/_preview/abc', '/_preview/x/y', '/.well-known/x']

describe('the page where nothing is', () => {
  test.each(nowhere)('answers %s with its bytes and 404', async (path) => {
    const { status, text } = await box.send(visit(path))
    expect({ status, text }).toEqual({ status: 404, text: lost })
  })

  test('has the headers of pages, and is not for search engines', async () => {
    const answer = await box.send(visit('/unknown'))
    const names = ['content-type', 'cache-control', 'x-content-type-options', 'x-robots-tag', 'set-cookie']
    expect(headersOf(answer, ...names)).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'set-cookie': null,
    })
  })

  test('answers HEAD with its length', async () => {
    const answer = await box.send(visit('/unknown', { method: 'HEAD' }))
    expect([answer.status, answer.headers.get('content-length'), answer.text]).toEqual([404, `${lost.length}`, ''])
  })

  test('is compressed', async () => {
    const { status, bytes } = await bytesAnswer(box, visit('/unknown', { headers: { 'accept-encoding': 'gzip' } }))
    expect([status, new TextDecoder().decode(gunzipSync(bytes))]).toEqual([404, lost])
  })

  test('is told of as missing however often it was seen', async () => {
    const { headers } = await box.send(visit('/unknown'))
    const again = await box.send(visit('/unknown', { headers: { 'if-none-match': headers.get('etag') } }))
    expect([again.status, again.text]).toEqual([404, lost])
  })

  test.each(['/_svc', '/_svc/', '/_svc/x', '/_svc/img/x.png', '/_svc/%ff', '/_svc?x'])(
    'leaves %s to the service',
    async (path) => {
      const { status, text } = await box.send(visit(path))
      expect(status).toBe(404)
      expect(text).not.toBe(lost)
    },
  )

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('does not answer %s', async (method) => {
    const { status, text } = await box.send(visit('/unknown', { method }))
    expect(status).toBe(404)
    expect(text).not.toBe(lost)
  })

  test('leaves pages, redirects and other accounts alone', async () => {
    const asked = [visit('/launch'), visit('/spring'), visit('/unknown', { account: 'bold' })]
    const answers = await Promise.all(asked.map((request) => box.send(request)))
    expect(answers.map(({ status, text }) => [status, text === lost])).toEqual([
      [200, false],
      [302, false],
      [404, false],
    ])
  })

  test('is no page: no slug, no view, not in the list', async () => {
    const before = await settledPageViews(box, '/launch')
    const { status, text } = await box.send(visit('/404'))
    expect([status, text]).toEqual([404, lost])
    expect(await settledPageViews(box, '/launch')).toEqual(before)
    const { stdout } = await box.run(['page', 'list', 'acme', '--json'])
    expect(JSON.parse(stdout).pages.map(({ slug }: { slug: string }) => slug)).toEqual(['launch'])
  })

  test('changes with the folder, and goes with --prune', async () => {
    const files = { ...acme.files, 'pages/404.html': '<title>Gone</title>' }
    expect((await applyAnew(box, { ...acme, files })).stdout).toContain('error page 404')
    await becomesLive(box, visit('/unknown'), { status: 404, text: '<title>Gone</title>' })
    const { 'pages/404.html': _, ...rest } = files
    expect((await applyAnew(box, { ...acme, files: rest }, '--prune')).status).toBe(0)
    await becomesLive(box, visit('/404.html'), { status: 404, text: (await box.send(visit('/_svc/x'))).text })
  })
})
