import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { apiOf, newToken, refusalOf } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { becomesLive } from '../harness/publishing.ts'

let box: Box
let call: ReturnType<typeof apiOf>
const site = aSite({
  files: {
    'pages/launch.html': '<p>one</p>',
    'pages/spring.html': '<p>spring</p>',
    'pages/a.b_C-9.html': '<p>odd</p>',
    'img/logo.png': 'png',
  },
  previews: ['pages/spring.html'],
})
beforeAll(async () => {
  box = await Box.start([site, aSite({ account: 'other', files: { 'pages/launch.html': '<p>theirs</p>' } })], {
    console: { listen: '127.0.0.1:0' },
  })
  call = apiOf(box, await ConsoleVisitor.owner(box))
}, boxStartMsMax)
afterAll(() => box.stop())

const page = (slug: string) => ({ method: 'GET', host: 'go.acme.test', path: `/${slug}`, headers: {}, body: null })
const jsonOf = async (...argv: string[]) => JSON.parse((await box.run([...argv, '--json'])).stdout)

interface Version {
  version: number
  current: boolean
  state: string
  publishedBy: string
}
const versions = async (slug: string) => {
  const { body, headers } = await call('GET', `/accounts/acme/pages/${slug}/history`)
  return { versions: body.versions as Version[], etag: headers.get('etag') ?? '' }
}

describe('the pages of an account', () => {
  test('are those of the command, in parts that a cursor joins', async () => {
    const { pages } = await jsonOf('page', 'list', 'acme')
    const first = await call('GET', '/accounts/acme/pages?limit=2')
    const second = await call('GET', `/accounts/acme/pages?limit=2&cursor=${first.body.next}`)
    const unsigned = (items: unknown) =>
      (items as { url: string }[]).map((item) => ({ ...item, url: item.url.split('?')[0] }))
    expect([...unsigned(first.body.items), ...unsigned(second.body.items)]).toEqual(unsigned(pages))
    expect(second.body.next).toBeNull()
  })

  test('are searched, and given as CSV', async () => {
    const { text, headers } = await call('GET', '/accounts/acme/pages?q=SPRING&format=csv')
    expect(headers.get('content-type')).toStartWith('text/csv')
    expect(text.trim().split('\r\n')).toEqual([
      'slug,id,state,version,liveFrom,liveUntil,publishedAt,publishedBy,url',
      expect.stringMatching(/^spring,\w{8},preview,1,,,[\d\-:.TZ]+,apply,http/),
    ])
  })
})

describe('a page', () => {
  test('is published and unpublished by hand, and its history says so', async () => {
    const published = await call('POST', '/accounts/acme/pages/spring/publish')
    expect([published.status, published.body]).toEqual([
      200,
      expect.objectContaining({
        slug: 'spring',
        state: 'live',
        changed: true,
        siteToml: expect.stringContaining('"live"'),
      }),
    ])
    await becomesLive(box, page('spring'), { status: 200, text: '<p>spring</p>' })
    expect((await call('POST', '/accounts/acme/pages/spring/publish')).body.changed).toBe(false)
    await call('POST', '/accounts/acme/pages/spring/unpublish')
    await becomesLive(box, page('spring'), { status: 404 })
    expect((await versions('spring')).versions).toMatchObject([
      { version: 3, current: true, state: 'preview', publishedBy: 'hand' },
      { version: 2, current: false, state: 'live', publishedBy: 'hand' },
      { version: 1, current: false, state: 'preview', publishedBy: 'apply' },
    ])
    expect(await jsonOf('page', 'history', 'acme', 'spring')).toEqual(
      (await call('GET', '/accounts/acme/pages/spring/history')).body,
    )
  })

  test('is rolled back to the version before, or to the one that is named', async () => {
    await box.apply({ ...site, files: { ...site.files, 'pages/launch.html': '<p>two</p>' } })
    await box.apply({ ...site, files: { ...site.files, 'pages/launch.html': '<p>three</p>' } })
    const before = await call('POST', '/accounts/acme/pages/launch/rollback')
    expect(before.body).toMatchObject({ slug: 'launch', version: 4, rolledBackTo: 2 })
    await becomesLive(box, page('launch'), { status: 200, text: '<p>two</p>' })
    const named = await call('POST', '/accounts/acme/pages/launch/rollback', { json: { to: 1 } })
    expect(named.body).toMatchObject({ version: 5, rolledBackTo: 1 })
    await becomesLive(box, page('launch'), { status: 200, text: '<p>one</p>' })
    const same = await call('POST', '/accounts/acme/pages/launch/rollback', { json: { to: 2, other: 1 } })
    expect([same.status, refusalOf(same)]).toEqual([422, 'invalid'])
    expect((await call('POST', '/accounts/acme/pages/launch/rollback', { json: { to: 99 } })).status).toBe(409)
  })

  test('that was changed meanwhile is left as it is', async () => {
    const { etag } = await versions('a.b_C-9')
    const conditional = { headers: { 'if-match': etag } }
    expect((await call('POST', '/accounts/acme/pages/a.b_C-9/unpublish', conditional)).status).toBe(200)
    for (const verb of ['publish', 'rollback']) {
      const late = await call('POST', `/accounts/acme/pages/a.b_C-9/${verb}`, conditional)
      expect([late.status, refusalOf(late)]).toEqual([412, 'changed_meanwhile'])
    }
    const now = { headers: { 'if-match': (await versions('a.b_C-9')).etag } }
    expect((await call('POST', '/accounts/acme/pages/a.b_C-9/publish', now)).body.state).toBe('live')
  })

  test.each(['publish', 'unpublish', 'rollback'])(
    'that is not there cannot be asked to %s, and names no other',
    async (verb) => {
      const answer = await call('POST', `/accounts/acme/pages/launchh/${verb}`)
      expect([answer.status, refusalOf(answer)]).toEqual([404, 'not_found'])
      expect(answer.text).not.toContain('launch')
    },
  )

  test('is left alone by a token that may only read', async () => {
    const reader = apiOf(box, await newToken(box, '--account', 'acme', '--scope', 'read'))
    expect((await reader('POST', '/accounts/acme/pages/launch/unpublish')).status).toBe(403)
    expect((await box.send(page('launch'))).status).toBe(200)
  })
})

describe('a preview address', () => {
  const opened = async (url: string) => {
    const { hostname: host, pathname, search } = new URL(url)
    return box.send({ method: 'GET', host, path: pathname + search, headers: {}, body: null })
  }

  test('shows the page that it was signed for until it expires', async () => {
    const json = { kind: 'page', id: 'spring', ttl: '2m' }
    const { status, body } = await call('POST', '/accounts/acme/preview', { json })
    expect([status, body.name, body.kind, body.version]).toEqual([200, 'spring', 'page', null])
    expect(Date.parse(String(body.expiresAt)) - Date.now()).toBeLessThanOrEqual(121_000)
    expect((await opened(String(body.url))).text).toBe('<p>spring</p>')
  })

  test('that a token signs works no longer than the token', async () => {
    const program = apiOf(box, await newToken(box, '--account', 'acme', '--scope', 'publish'))
    const { body } = await program('POST', '/accounts/acme/preview', {
      json: { kind: 'page', id: 'spring', ttl: '366d' },
    })
    expect(Date.parse(String(body.expiresAt)) - Date.now()).toBeLessThanOrEqual(86_401_000)
    expect((await opened(String(body.url))).status).toBe(200)
  })

  test('of the test page holds the tracking key where browsers send it to nobody', async () => {
    const key = site.tracking.key
    const { body } = await call('POST', '/accounts/acme/preview', { json: { kind: 'test', key } })
    expect(new URL(String(body.url)).hash).toBe(`#key=${key}`)
    expect((await opened(String(body.url))).status).toBe(200)
  })

  test.each([
    ['no id', { kind: 'page' }, 422],
    ['an id for the test page', { kind: 'test', id: 'launch' }, 422],
    ['a key for a page', { kind: 'page', id: 'launch', key: 'svc_tk_secret' }, 422],
    ['no length of time', { kind: 'page', id: 'launch', ttl: 'soon' }, 422],
    ['more than a year', { kind: 'page', id: 'launch', ttl: '400d' }, 422],
    ['a page of another account', { kind: 'page', id: 'nothing' }, 404],
    ['a key that is none of the account', { kind: 'test', key: 'svc_tk_secret' }, 409],
  ])('is not signed for %s', async (_, json, status) => {
    const answer = await call('POST', '/accounts/acme/preview', { json })
    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain('svc_tk_secret')
  })
})
