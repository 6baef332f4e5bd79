// Spec, "Preview surfaces" (`/_preview/test`), and docs/previews.md, "The test page"; the browser's part is in test/browser.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { headersOf, visit } from '../harness/visits.ts'

const host = 'preview.localhost'
const path = '/_preview/test'
const secret = 'the-secret-of-the-bot-check'
const allowed = 'https://www.acme.test'

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  const acme = aSite({
    name: 'Acme </script><b>Studio</b>',
    domains: ['go.acme.test', 'go.acme-studio.test'],
    origins: [allowed, `http://${host}`],
    forms: [aForm({ name: 'Contact' }), aForm({ id: 'gonefrm1', name: 'Gone', registered: false })],
    bot_check: { provider: 'turnstile', sitekey: 'sitekey', secret },
  })
  box = await Box.start([acme, aSite({ account: 'bold' })])
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

/** The address that `capture preview` prints, less its host. */
async function signed(account = 'acme', ...options: string[]): Promise<string> {
  const { status, stdout, stderr } = await box.run(['preview', account, 'test', ...options])
  if (status !== 0) throw new Error(stderr)
  const { hostname, pathname, search } = new URL(stdout.trim())
  expect([hostname, pathname]).toEqual([host, path])
  return pathname + search
}

const open = (address: string, overrides: Parameters<typeof visit>[1] = {}) =>
  box.send(visit(address, { host, ...overrides }))

/** What the page was told about the account. */
function dataIn(html: string): Record<string, unknown> {
  const [, json = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(json)
}

describe('the test page', () => {
  test('is HTML that names the account, its domains and its registered forms, each reached as the page was', async () => {
    const answer = await open(await signed(), { host: `${host}:8443` })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(dataIn(answer.text)).toMatchObject({
      account: { handle: 'acme', name: 'Acme </script><b>Studio</b>' },
      domains: [
        { host: 'go.acme.test', origin: 'http://go.acme.test:8443' },
        { host: 'go.acme-studio.test', origin: 'http://go.acme-studio.test:8443' },
      ],
      forms: [{ id: 'contact1', name: 'Contact', asks: false }],
      thirdPartyUrl: null,
    })
  })

  test('shows what an operator wrote as text, never as markup', async () => {
    expect((await open(await signed())).text).not.toContain('<b>Studio')
  })

  test('holds no secret: no tracking key, none of its fingerprint, no origin and no bot-check secret', async () => {
    const { text } = await open(await signed())
    const key = trackingKeyOf('acme')
    const fingerprint = createHash('sha256').update(key).digest('hex')
    expect([key, fingerprint, allowed, secret].filter((hidden) => text.includes(hidden))).toEqual([])
  })

  test('is never indexed, never kept, sets no cookie and gives its address to nobody', async () => {
    const names = ['x-robots-tag', 'cache-control', 'set-cookie', 'referrer-policy', 'x-content-type-options']
    expect(headersOf(await open(await signed()), ...names)).toEqual({
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-store',
      'set-cookie': null,
      'referrer-policy': 'strict-origin',
      'x-content-type-options': 'nosniff',
    })
  })

  test('runs nothing but its own script and style, under a policy that names them', async () => {
    const { headers, text } = await open(await signed())
    const policy = headers.get('content-security-policy') ?? ''
    for (const [, inline = ''] of text.matchAll(/<(?:script|style)>(.*?)<\/(?:script|style)>/gs)) {
      expect(policy).toContain(`'sha256-${createHash('sha256').update(inline).digest('base64')}'`)
    }
    expect(policy).toStartWith("default-src 'none'; base-uri 'none'; form-action 'none';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(text).not.toMatch(/ (?:on\w+|style|src)=/)
  })

  test('is captured nowhere', async () => {
    await open(await signed())
    expect((await box.events()).filter(({ source }) => source.host === host)).toEqual([])
  })
})

describe('the empty website in its frames', () => {
  const website = async (domain: string) => open(`${await signed()}&domain=${domain}`)

  test('may load from its one domain and the bot check’s provider, and stand in the test page only', async () => {
    const { status, headers } = await website('go.acme.test')
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain('script-src http://go.acme.test https://challenges.cloudflare.com;')
    expect(policy).toContain('connect-src http://go.acme.test https://challenges.cloudflare.com;')
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).not.toContain('unsafe')
  })

  test.each(['go.bold.test', 'evil.test', '', 'go.acme.test&domain=go.acme.test'])(
    'is there for no other domain: %s',
    async (domain) => {
      expect((await website(domain)).status).toBe(404)
    },
  )
})

describe('any other address of it is refused with 403', () => {
  const tampered: [what: string, tamper: (address: string) => string][] = [
    ['without a query', () => path],
    ['without a signature', (address) => address.replace(/&sig=[^&]+/, '')],
    ['with a changed signature', (address) => address.replace(/sig=./, (sig) => (sig === 'sig=A' ? 'sig=B' : 'sig=A'))],
    ['with a later time', (address) => address.replace(/exp=(\d+)/, (_, exp) => `exp=${Number(exp) + 1}`)],
    ['without an account', (address) => address.replace('account=acme&', '')],
    ['for another account', (address) => address.replace('account=acme', 'account=bold')],
    ['for an account that is not there', (address) => address.replace('account=acme', 'account=umbra')],
    ['for two accounts', (address) => address.replace('account=acme', 'account=acme&account=bold')],
    ['with a version', (address) => `${address}&v=1`],
  ]

  test.each(tampered)('%s', async (_what, tamper) => {
    const answer = await open(tamper(await signed()))
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('This preview link does not work')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  })

  test('that was signed for another surface', async () => {
    const [, query = ''] = keys.previewPath('/_preview/test2').split('?')
    expect((await open(`${path}?account=acme&${query}`)).status).toBe(403)
  })

  test('that has expired, and says so', async () => {
    const [, query = ''] = keys.previewPath(path, { expiresInSeconds: -1 }).split('?')
    const answer = await open(`${path}?account=acme&${query}`)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('This preview has expired')
  })
})

test('on a connected domain the address is 404, signed or not', async () => {
  for (const address of [path, await signed()]) expect((await box.send(visit(address))).status).toBe(404)
})

test('a wrong method is answered 405', async () => {
  expect((await open(await signed(), { method: 'POST' })).status).toBe(405)
})

describe('what is sent from the preview host', () => {
  test('is recorded as a test, and exported only with --test', async () => {
    const origin = `http://${host}`
    const id = submissionIdOf(await box.send(formRequest({ headers: { origin } })))
    const real = submissionIdOf(await box.send(formRequest()))
    const exported = async (...options: string[]): Promise<{ submissionId: string; test: boolean }[]> =>
      (await box.run(['export', 'acme', 'submissions', ...options])).stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    const plain = await exported()
    const withTest = await exported('--test')
    expect(plain.map(({ submissionId }) => submissionId)).toContain(real)
    expect(plain.map(({ submissionId }) => submissionId)).not.toContain(id)
    expect(withTest.find(({ submissionId }) => submissionId === id)).toMatchObject({ test: true })
    expect(withTest.find(({ submissionId }) => submissionId === real)).toMatchObject({ test: false })
  })

  test('is a test among the events, too', async () => {
    await box.send(eventRequest({ headers: { origin: `http://${host}` }, events: [{ event: 'tried' }] }))
    await box.send(eventRequest({ events: [{ event: 'done' }] }))
    const flags = (await box.events()).map(({ event, test }) => [event, test])
    expect(flags).toContainEqual(['tried', true])
    expect(flags).toContainEqual(['done', false])
    const { stdout } = await box.run(['export', 'acme', 'events'])
    expect([stdout.includes('"tried"'), stdout.includes('"done"')]).toEqual([false, true])
  })

  test('is refused where the account does not list it', async () => {
    const answer = await box.send(formRequest({ account: 'bold', headers: { origin: `http://${host}` } }))
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('capture preview ACCOUNT test', () => {
  test('puts a tracking key behind the #, which browsers send to nobody', async () => {
    const key = trackingKeyOf('acme')
    const { stdout } = await box.run(['preview', 'acme', 'test', '--key', key])
    const { search, hash } = new URL(stdout.trim())
    expect([search.includes(key), hash]).toEqual([false, `#key=${key}`])
  })

  test('refuses a key that is not the account’s', async () => {
    const ran = await box.run(['preview', 'acme', 'test', '--key', trackingKeyOf('bold')])
    expect(ran).toMatchObject({ status: 1, stdout: '' })
    expect(ran.stderr).toContain('not a valid tracking key of acme')
    expect(ran.stderr).not.toContain(trackingKeyOf('bold'))
  })

  test('as JSON names nothing but the account and the address', async () => {
    const { stdout } = await box.run(['preview', 'acme', 'test', '--json', '--ttl', '2d'])
    const { url, expiresAt, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual({ account: 'acme', kind: 'test', id: null, name: null, version: null })
    expect(Number(new URL(url).searchParams.get('exp')) * 1000).toBe(Date.parse(expiresAt))
  })
})
