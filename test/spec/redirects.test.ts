// docs/redirects.md.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { settledPageViews } from '../harness/page-views.ts'
import { headersOf, visit } from '../harness/visits.ts'

const redirects = [
  { from: '/spring', to: '/launch' },
  { from: '/old/*', to: '/new/*', status: 301 as const },
  { from: '/moved', to: 'https://www.acme.test/', status: 307 as const },
  { from: '/gone/*', to: '/launch?utm_source=gone#top', status: 308 as const },
  { from: '/assets/old.css', to: '/launch', status: 308 as const },
  { from: '/', to: '/launch' },
]
const writing = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

let box: Box

beforeAll(async () => {
  const acme = aSite({ files: { 'pages/launch.html': '<title>Launch</title>' }, redirects })
  box = await Box.start([acme, aSite({ account: 'bold' })])
}, boxStartMsMax)

afterAll(() => box.stop())

const answerTo = async (path: string, method = 'GET') => {
  const answer = await box.send(visit(path, { method }))
  return { status: answer.status, location: answer.headers.get('location') }
}

describe('a redirect', () => {
  test.each([
    ['/spring', 302, '/launch'],
    ['/spring/?utm_source=mail', 302, '/launch?utm_source=mail'],
    ['/old/a/b?c=%ff', 301, '/new/a/b?c=%ff'],
    ['/moved', 307, 'https://www.acme.test/'],
    ['/gone/a?b=1', 308, '/launch?utm_source=gone&b=1#top'],
    ['/gone/a?utm_source=mail', 308, '/launch?utm_source=mail#top'],
    ['/', 302, '/launch'],
    ['/launch/?a=1', 308, '/launch?a=1'],
  ])('leads %s on with %i to %s', async (path, status, location) => {
    expect(await answerTo(path)).toEqual({ status, location })
    expect(await answerTo(path, 'HEAD')).toEqual({ status, location })
  })

  test('is asked for each time, and sets no cookie', async () => {
    const answer = await box.send(visit('/old/a'))
    expect(headersOf(answer, 'cache-control', 'set-cookie')).toEqual({
      'cache-control': 'private, no-cache',
      'set-cookie': null,
    })
  })

  test.each(writing)('that keeps the method answers %s', async (method) => {
    expect(await answerTo('/moved', method)).toEqual({ status: 307, location: 'https://www.acme.test/' })
    expect(await answerTo('/assets/old.css', method)).toEqual({ status: 308, location: '/launch' })
    expect((await answerTo('/assets/none.css', method)).status).toBe(405)
    expect(await answerTo('/launch/', method)).toEqual({ status: 308, location: '/launch' })
  })

  test.each(writing)('that does not is 405 for %s and names GET and HEAD', async (method) => {
    const answer = await box.send(visit('/spring', { method }))
    expect([answer.status, answer.headers.get('allow'), answer.headers.get('location')]).toEqual([
      405,
      'GET, HEAD',
      null,
    ])
  })

  test('is no page view', async () => {
    const before = await settledPageViews(box, '/launch')
    for (const path of ['/spring', '/old/a', '/launch/']) await box.send(visit(path))
    expect(await settledPageViews(box, '/launch')).toEqual(before)
  })

  test.each([
    '/springs',
    '/spring/more',
    '/old',
    '/oldest/a',
    '/launch/more',
    '/old//evil.example',
    '/old/%2e%2e%2fevil',
  ])('leaves %s alone', async (path) => {
    expect(await answerTo(path)).toEqual({ status: 404, location: null })
  })

  test('is of its account alone', async () => {
    expect((await box.send(visit('/spring', { account: 'bold' }))).status).toBe(404)
  })
})
