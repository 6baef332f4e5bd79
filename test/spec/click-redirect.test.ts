// Spec, "Click redirect: `GET /_svc/c/<token>`", and docs/links-in-email.md, "What a visitor gets".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { cookieHeaderOf, deviceOf, setCookieOf } from '../harness/cookies.ts'
import { eventually } from '../harness/eventually.ts'
import { clicksOf } from '../harness/page-views.ts'
import { headersOf, visit } from '../harness/visits.ts'

const to = 'http://go.acme.test/launch'

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  const files = { 'pages/launch.html': '<title>Launch</title>' }
  const acme = aSite({ files, domains: ['go.acme.test', 'alias.acme.test'] })
  box = await Box.start([acme, aSite({ account: 'bold', files })], { server: { trusted_proxies: ['127.0.0.1/32'] } })
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

const click = (path: string, headers: Record<string, string | null> = {}, method = 'GET') =>
  box.send(visit(path, { method, headers }))

/** The path of a link that `capture link sign` prints. */
async function signedLink(...options: string[]): Promise<string> {
  const { stdout, stderr } = await box.run(['link', 'sign', 'acme', '--to', to, ...options])
  if (!stdout.includes('/_svc/c/')) throw new Error(`no link was printed: ${stderr}`)
  return stdout.slice(stdout.indexOf('/_svc/c/')).trim()
}

describe('a good link', () => {
  test('that the command signed redirects to its destination', async () => {
    const answer = await click(await signedLink())
    expect([answer.status, answer.headers.get('location')]).toEqual([302, to])
  })

  test('is never kept, and tells the destination nothing of itself', async () => {
    expect(headersOf(await click(keys.clickPath(to)), 'cache-control', 'referrer-policy')).toEqual({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
  })

  test('has no body', async () => {
    expect((await click(keys.clickPath(to))).text).toBe('')
  })

  test.each([
    ['the domain that served it', 'http://go.acme.test/launch?a=1#b', 'http://go.acme.test/launch?a=1#b'],
    ['another port of it', 'http://go.acme.test:8080/launch', 'http://go.acme.test:8080/launch'],
    ['HTTPS', 'https://go.acme.test/launch', 'https://go.acme.test/launch'],
    ['the preview host', 'https://preview.localhost/x', 'https://preview.localhost/x'],
    ['the host in capitals', 'HTTP://GO.ACME.TEST/Launch', 'http://go.acme.test/Launch'],
    ['no path', 'http://go.acme.test', 'http://go.acme.test/'],
    ['a path with dots', 'http://go.acme.test/a/../launch', 'http://go.acme.test/launch'],
    ['letters outside ASCII', 'http://go.acme.test/größe?ü=é', 'http://go.acme.test/gr%C3%B6%C3%9Fe?%C3%BC=%C3%A9'],
    ['what is no header', 'http://go.acme.test/a"b<c>', 'http://go.acme.test/a%22b%3Cc%3E'],
  ])('may lead to %s, as the URL parser writes it', async (_what, destination, location) => {
    const links = [keys.clickPath(destination), keys.hostileClickPath(destination, 'unparsed')]
    for (const link of links) expect(headersOf(await click(link), 'location')).toEqual({ location })
  })

  test('works on every connected domain of its account, as long as it leads there', async () => {
    const link = keys.clickPath('http://alias.acme.test/launch')
    expect((await box.send(visit(link, { host: 'alias.acme.test' }))).status).toBe(302)
  })

  test('works with a query that a mailer added', async () => {
    expect((await click(`${keys.clickPath(to)}?utm_source=mailer`)).status).toBe(302)
  })

  test('works more than once', async () => {
    const link = keys.clickPath(to, { message: 'twice' })
    expect([(await click(link)).status, (await click(link)).status]).toEqual([302, 302])
    expect(await clicksOf(box, 'twice')).toHaveLength(2)
  })
})

describe('the token', () => {
  test('is URL-safe and shorter than 2,000 characters', async () => {
    const token = (await signedLink('--email', 'ada@example.test')).slice('/_svc/c/'.length)
    expect(token).toMatch(/^[A-Za-z0-9._~-]{1,1999}$/)
  })

  test('holds no e-mail address in any spelling', async () => {
    const token = (await signedLink('--email', 'Ada.Lovelace@Example.test', '--message', 'mail-1')).slice(8)
    const [, content = ''] = token.split('.')
    const read = [token, decoded(content, 'base64url'), decoded(content, 'hex')]
    expect(read.join(' ').toLowerCase()).not.toMatch(/@|%40|lovelace|example\.test/)
  })

  test('holds no digest of the address that anybody could compute', async () => {
    const token = (await signedLink('--email', 'ada@example.test')).slice(8)
    const read = token
      .split('.')
      .flatMap((part) => [part, decoded(part, 'base64url')])
      .join(' ')
    for (const algorithm of ['md5', 'sha1', 'sha256'] as const) {
      const digest = new Bun.CryptoHasher(algorithm).update('ada@example.test').digest()
      expect(read).not.toContain(digest.toString('hex').slice(0, 16))
      expect(read).not.toContain(digest.toString('base64url').slice(0, 12))
    }
  })

  test('names the same person by another id for another account', async () => {
    const ours = recipientIn(await signedLink('--email', 'ada@example.test'))
    const { stdout } = await box.run([
      'link',
      'sign',
      'bold',
      '--to',
      'http://go.bold.test/',
      '--email',
      'ada@example.test',
    ])
    expect(recipientIn(stdout.slice(stdout.indexOf('/_svc/c/')).trim())).not.toBe(ours)
  })

  test.each([
    'https://evil.test/',
    'http://www.acme.test/',
    'javascript:alert(1)',
    'http://go.acme.test@evil.test/',
    '/launch',
  ])('is not signed by the command for a destination that would be refused: %s', async (destination) => {
    const { status, stdout } = await box.run(['link', 'sign', 'acme', '--to', destination])
    expect([status, stdout]).toEqual([1, ''])
  })
})

describe('a bad token is 404 with a short page', () => {
  const changedAt = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  const bad: [what: string, path: (good: string) => string][] = [
    ['none', () => '/_svc/c/x'],
    ['one of the right form', () => `/_svc/c/1.${'A'.repeat(80)}.${'A'.repeat(43)}.abcd1234`],
    ['a changed version', (good) => changedAt(good, '/_svc/c/'.length)],
    ['a changed content', (good) => changedAt(good, '/_svc/c/1.'.length + 10)],
    ['a changed MAC', (good) => changedAt(good, good.lastIndexOf('.') - 10)],
    ['a changed key', (good) => changedAt(good, good.length - 1)],
    ['a cut one', (good) => good.slice(0, -1)],
    ['a longer one', (good) => `${good}A`],
    ['one in front of another', (good) => `${good}${good.slice('/_svc/c/'.length)}`],
    ['another case', (good) => `/_svc/c/${good.slice('/_svc/c/'.length).toLowerCase()}`],
    ['an encoded one', (good) => good.replace('.', '%252e')],
    ['3,000 characters', () => `/_svc/c/${'A'.repeat(3000)}`],
    ['malformed percent-encoding', () => '/_svc/c/%zz'],
    ["another account's", () => keys.clickPath(to, { account: 'bold' })],
  ]

  test.each(bad)('%s', async (_what, path) => {
    const answer = await click(path(keys.clickPath(to)))
    expect(answer.status).toBe(404)
    expect(headersOf(answer, 'location', 'content-type', 'set-cookie')).toEqual({
      location: null,
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': null,
    })
    expect(answer.text.length).toBeLessThan(2000)
  })

  test('and records no click', async () => {
    const before = (await box.events()).length
    for (const [, path] of bad) await click(path(keys.clickPath(to)))
    expect((await box.events()).length).toBe(before)
  })
})

describe('the destination guard refuses with 403, though the token is good', () => {
  const hostile = [
    'https://evil.test/',
    'http://www.acme.test/',
    'http://go.acme.test.evil.test/',
    'http://evilgo.acme.test/',
    'http://acme.test/',
    'http://alias.acme.test/',
    'http://go.bold.test/',
    'http://go.acme.test@evil.test/',
    'http://user@go.acme.test/',
    'http://user:secret@go.acme.test/',
    'http://go.acme.test:80@evil.test/',
    'http://evil.test#@go.acme.test/',
    'http://evil.test?@go.acme.test/',
    'http://evil.test\\@go.acme.test/',
    'http://go.acme.test\\@evil.test/',
    'http://go.acme.test\t.evil.test/',
    'http:\\\\evil.test/',
    'http:evil.test',
    'https:go.acme.test',
    '//evil.test/',
    '/\\evil.test',
    '/launch',
    'launch',
    '',
    ' http://evil.test/',
    'javascript:alert(1)',
    'JavaScript://go.acme.test/%0aalert(1)',
    'data:text/html,hello',
    'ftp://go.acme.test/',
    'file:///etc/passwd',
    'http://evil.test/http://go.acme.test/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://go.acme.test%2eevil.test/',
    'http://go。acme。test.evil.test/',
    'http://go.acme.test/a\r\nSet-Cookie: a=b',
    'http://go.acme.test/\u0000',
  ]

  test.each(hostile)('%p', async (destination) => {
    const answer = await click(keys.hostileClickPath(destination, 'hostile'))
    expect(answer.status).toBe(403)
    expect(headersOf(answer, 'location', 'content-type', 'set-cookie')).toEqual({
      location: null,
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': null,
    })
  })

  test('but lets a good destination through that was signed in the same way', async () => {
    expect((await click(keys.hostileClickPath(to, 'harmless'))).status).toBe(302)
  })

  test('and never shows the destination', async () => {
    expect((await click(keys.hostileClickPath('https://evil.test/x', 'hostile'))).text).not.toContain('evil.test')
  })

  test('and records no click, but counts a refusal', async () => {
    await click(keys.hostileClickPath('https://evil.test/', 'hostile'))
    expect(await clicksOf(box, 'hostile')).toEqual([])
    await eventually('the refusal is counted', async () => {
      const { stdout } = await box.run(['refusals', 'acme', '--json'])
      return stdout.includes('"destination"') && stdout.includes('"click"')
    })
  })
})

describe('the identity cookie', () => {
  test('is set when the visitor has none', async () => {
    expect(setCookieOf(await click(keys.clickPath(to)))).toMatchObject({
      name: 'svc_id',
      attributes: ['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Lax'],
    })
  })

  test('of a known device is not set again, and the click is that device’s', async () => {
    const cookie = cookieHeaderOf(await click(keys.clickPath(to)))
    const answer = await click(keys.clickPath(to, { message: 'known-device' }), { cookie })
    expect(setCookieOf(answer)).toBeNull()
    expect((await clicksOf(box, 'known-device')).map(({ deviceId }) => deviceId)).toEqual([deviceOf(cookie)])
  })

  test('is the one under which the click is recorded', async () => {
    const answer = await click(keys.clickPath(to, { message: 'new-device' }))
    const [recorded] = await clicksOf(box, 'new-device')
    expect(recorded?.deviceId).toBe(deviceOf(cookieHeaderOf(answer)))
  })

  test('of another account counts for nothing', async () => {
    const foreign = cookieHeaderOf(await box.send(visit('/launch', { account: 'bold' })))
    expect(setCookieOf(await click(keys.clickPath(to), { cookie: foreign }))).not.toBeNull()
  })
})

describe('the recorded click', () => {
  test('is an edge event with its message, verdict, reasons and address', async () => {
    await click(keys.clickPath(to, { message: 'recorded' }))
    const [recorded] = await clicksOf(box, 'recorded')
    expect(recorded).toMatchObject({
      event: '$click',
      origin: 'edge',
      consent: 'not_required',
      test: false,
      properties: { message: 'recorded', url: to, verdict: 'suspected', reasons: ['no_sign_of_life'] },
      source: { ip: '127.0.0.1', host: 'go.acme.test' },
    })
  })

  test('is human once its device has loaded the page', async () => {
    const clicked = await click(keys.clickPath(to, { message: 'alive' }))
    await box.send(visit('/launch', { headers: { cookie: cookieHeaderOf(clicked) } }))
    await eventually('the click is judged again', async () => {
      const [recorded] = await clicksOf(box, 'alive')
      return recorded?.properties.verdict === 'human'
    })
  })

  test('has a clean address: no campaign parameters, nothing personal, no fragment', async () => {
    const destination = `${to}?utm_campaign=Launch&email=zoe%40example.test&plan=a#part`
    const answer = await click(keys.clickPath(destination, { message: 'cleaned' }))
    const [recorded] = await clicksOf(box, 'cleaned')
    expect(recorded).toMatchObject({ properties: { url: `${to}?plan=a` }, attribution: { utm_campaign: 'Launch' } })
    expect(JSON.stringify(recorded)).not.toContain('zoe')
    expect(answer.headers.get('location')).toBe(destination)
  })

  test('needs no consent', async () => {
    expect((await click(keys.clickPath(to), { dnt: '1', 'sec-gpc': '1' })).status).toBe(302)
  })

  test('of a link without a message has none', async () => {
    const before = (await box.events()).length
    await click(keys.clickPath(to, { message: null }))
    expect((await box.events()).slice(before)).toMatchObject([{ event: '$click', properties: { message: null } }])
  })
})

describe('the verdict', () => {
  const soon = () => keys.clickPath(to, { message: 'soon', sentAt: Date.now() })
  const of = (message: string) => keys.clickPath(to, { message })

  const judged: [
    what: string,
    verdict: string,
    reason: string,
    message: string,
    send: () => Promise<{ status: number }>,
  ][] = [
    ['HEAD', 'machine', 'head', 'head', () => click(of('head'), {}, 'HEAD')],
    ['a prefetch', 'machine', 'prefetch', 'prefetch', () => click(of('prefetch'), { 'sec-purpose': 'prefetch' })],
    ['a scanner', 'machine', 'scanner', 'scanner', () => click(of('scanner'), { 'user-agent': 'Barracuda Sentinel' })],
    ['no user agent', 'machine', 'no_user_agent', 'no-agent', () => click(of('no-agent'), { 'user-agent': '' })],
    ['a click as the mail arrives', 'suspected', 'soon_after_sending', 'soon', () => click(soon())],
    ['no language', 'suspected', 'no_language', 'mute', () => click(of('mute'), { 'accept-language': null })],
  ]

  test.each(judged)(
    'of %s is %s, and the answer the same as for anyone',
    async (_what, verdict, reason, message, send) => {
      expect((await send()).status).toBe(302)
      const [recorded] = await clicksOf(box, message)
      expect(recorded?.properties).toMatchObject({ verdict, reasons: expect.arrayContaining([reason]) })
    },
  )

  test('HEAD gets the same headers', async () => {
    const names = ['location', 'cache-control', 'referrer-policy']
    const head = await click(keys.clickPath(to), {}, 'HEAD')
    expect(headersOf(head, ...names)).toEqual(headersOf(await click(keys.clickPath(to)), ...names))
  })
})

test('a link that was signed before the key was rotated goes on working, and so does one signed after', async () => {
  const before = keys.clickPath(to)
  const { status } = await box.run(['secret', 'rotate', 'click'])
  expect(status).toBe(0)
  const after = await signedLink()
  expect(after.slice(-8)).not.toBe(before.slice(-8))
  await eventually('the new key is known to the server', async () => (await click(after)).status === 302)
  expect((await click(before)).status).toBe(302)
})

const decoded = (part: string, encoding: 'base64url' | 'hex') => Buffer.from(part, encoding).toString('latin1')

/** What a token says of whom it was sent to. */
function recipientIn(path: string): unknown {
  const content = path.slice('/_svc/c/'.length).split('.')[1] ?? ''
  return JSON.parse(Buffer.from(content, 'base64url').toString())[2]
}
