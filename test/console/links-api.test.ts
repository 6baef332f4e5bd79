import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { apiOf, refusalOf } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'

let box: Box
let call: ReturnType<typeof apiOf>
beforeAll(async () => {
  box = await Box.start([aSite({ files: { 'pages/launch.html': '<p>one</p>' } })], {
    console: { listen: '127.0.0.1:0' },
  })
  call = apiOf(box, await ConsoleVisitor.owner(box))
}, boxStartMsMax)
afterAll(() => box.stop())

const to = 'http://go.acme.test/launch'
const mail = { message: '2026-11-news', email: 'Ada@Example.test' }

const follow = async (url: string) => {
  const { hostname: host, pathname } = new URL(url)
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    'accept-language': 'de',
  }
  return box.send({ method: 'GET', host, path: pathname, headers, body: null })
}

const clicks = async () => (await box.events()).filter(({ event }) => event === '$click')

test('a link of the API is judged as one of the command', async () => {
  const signed = await call('POST', '/accounts/acme/links/sign', { json: { to, ...mail } })
  expect(signed.body).toMatchObject({ account: 'acme', destination: to, domain: 'go.acme.test' })
  const { stdout } = await box.run([
    'link',
    'sign',
    'acme',
    '--to',
    to,
    '--message',
    mail.message,
    '--email',
    mail.email,
    '--json',
  ])
  const ours = JSON.parse(stdout)
  for (const url of [String(signed.body.url), ours.url]) {
    const answer = await follow(url)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, to])
  }
  await eventually('both clicks are there', async () => (await clicks()).length === 2)
  const [one, other] = (await clicks()).map(({ properties, personId }) => ({ ...properties, personId }))
  expect(one as unknown).toEqual(other as unknown)
  expect(one).toMatchObject({ message: mail.message })
})

describe('a link', () => {
  test.each([
    ['leads elsewhere', { to: 'https://elsewhere.test/' }, 409],
    ['has an address that is none', { to, email: 'ada' }, 422],
    ['has a domain that is none', { to, domain: 'https://go.acme.test' }, 422],
    ['is on a domain of nobody', { to, domain: 'nobody.test' }, 409],
    ['has no destination', { message: 'x' }, 422],
  ])('that %s is not signed', async (_, json, status) => {
    const answer = await call('POST', '/accounts/acme/links/sign', { json })
    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain('elsewhere')
  })
})

describe('a mail', () => {
  const rewrite = (content: string | Uint8Array<ArrayBuffer>, type = 'text/html; charset=utf-8', query = '') =>
    call('POST', `/accounts/acme/links/rewrite${query}`, { text: { type, content } })

  test('has its links rewritten, and those left are named with the reason', async () => {
    const { status, body } = await rewrite(
      `<a href="${to}">on</a> <a href="tel:1">call</a>`,
      'text/html',
      '?message=news',
    )
    expect([status, body]).toEqual([
      200,
      {
        account: 'acme',
        domain: 'go.acme.test',
        signed: 1,
        left: [{ href: 'tel:1', why: expect.any(String) }],
        warnings: [],
        html: expect.stringMatching(
          /^<a href="http:\/\/go\.acme\.test:\d+\/_svc\/c\/[^"]+">on<\/a> <a href="tel:1">call<\/a>$/,
        ),
      },
    ])
    const [, link = ''] = /href="([^"]+)"/.exec(String(body.html)) ?? []
    expect((await follow(link)).headers.get('location')).toBe(to)
  })

  test('comes with a warning of each destination that is not there', async () => {
    const { body } = await rewrite(`\n<a href="${to}x">on</a>`)
    expect(body.warnings).toMatchObject([{ kind: 'dead_destination', file: null, line: 2 }])
    const signed = await call('POST', '/accounts/acme/links/sign', { json: { to: `${to}x` } })
    expect(signed.body.warnings).toMatchObject([{ kind: 'dead_destination', file: null, line: null }])
  })

  test('is taken as text that is pasted', async () => {
    expect((await rewrite('no link', 'text/plain')).body).toMatchObject({ signed: 0, html: 'no link' })
  })

  test.each([
    ['of another type', '{}', 'application/json', 415],
    ['that is not UTF-8', new Uint8Array([0x3c, 0xff]), 'text/html', 422],
    ['beyond the limit', 'x'.repeat(2 * 1024 * 1024 + 1), 'text/html', 413],
    ['with more than 2,000 links', '<a href="#">'.repeat(2001), 'text/html', 422],
  ])('%s is refused', async (_, content, type, status) => {
    const answer = await rewrite(content, type)
    expect([answer.status, typeof refusalOf(answer)]).toEqual([status, 'string'])
  })
})
