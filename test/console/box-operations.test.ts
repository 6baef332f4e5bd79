import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  const forms = { origins: ['https://www.acme.test'] }
  box = await Box.start([aSite({ domains: ['go.acme.test', 'b.acme.test'], ...forms }), aSite({ account: 'other' })], {
    console: { listen: '127.0.0.1:0' },
  })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const api = async (method: string, path: string, visitor = owner) => {
  const { status, text, headers } = await visitor.send(method, `/api/v1${path}`)
  const isJson = headers.get('content-type')?.includes('json') === true
  return { status, text, body: isJson ? JSON.parse(text) : null }
}
const printed = async (argv: string[]) => JSON.parse((await box.run([...argv, '--json'])).stdout)

describe('domains', () => {
  test('are those of `domain list --json`, for an account and for the box', async () => {
    const all = await printed(['domain', 'list'])
    const byHost = (rows: { host: string }[]) => rows.toSorted((one, other) => (one.host < other.host ? -1 : 1))
    expect((await api('GET', '/domains')).body).toEqual({ items: byHost(all), next: null })
    expect((await api('GET', '/accounts/acme/domains')).body.items).toEqual(
      byHost(all.filter(({ account }: { account: string }) => account === 'acme')),
    )
  })

  test('can be paged and searched', async () => {
    const { body: first } = await api('GET', '/accounts/acme/domains?limit=1')
    const { body: second } = await api('GET', `/accounts/acme/domains?limit=1&cursor=${first.next}`)
    expect([first.items[0].host, second.items[0].host, second.next]).toEqual(['b.acme.test', 'go.acme.test', null])
    expect((await api('GET', '/domains?q=OTHER')).body.items).toHaveLength(1)
  })

  test('are checked one by one, those of the account alone', async () => {
    const { status, body } = await api('POST', '/accounts/acme/domains/go.acme.test/check?now=true')
    expect([status, body]).toEqual([200, await printed(['domain', 'check', 'go.acme.test'])])
    expect((await api('POST', '/accounts/acme/domains/go.other.test/check')).status).toBe(404)
    expect((await api('POST', '/domains/go.other.test/check')).status).toBe(200)
    expect((await api('POST', '/domains/nobody.test/check')).status).toBe(404)
  })
})

describe('refusals', () => {
  const origin = 'https://"><script>alert(1)</script>.example'
  beforeAll(async () => {
    await box.send(formRequest({ headers: { origin: 'https://new.acme.test' } }))
    await box.send(formRequest({ headers: { origin } }))
    await eventually('both refusals are counted', async () => {
      const { refusals } = await printed(['refusals', 'acme'])
      return refusals.length === 2
    })
  })

  test('are those of `refusals --json`, as a list', async () => {
    const { refusals, ...told } = await printed(['refusals', 'acme'])
    const { body } = await api('GET', '/accounts/acme/refusals?since=1d')
    const { items, next, since, ...rest } = body
    const names = ({ check, origin }: { check: string; origin: string }) => `${check} ${origin}`
    expect(items.map(names).sort()).toEqual(refusals.map(names).sort())
    expect(items.find(({ origin }: { origin: string }) => origin === 'https://new.acme.test')).toMatchObject({
      count: 1,
      advice: expect.stringContaining('origins = ["https://www.acme.test","https://new.acme.test"]'),
    })
    expect([rest.account, rest.untrustedProxy, next]).toEqual(['acme', told.untrustedProxy, null])
    expect(Date.parse(since)).toBeLessThan(Date.now())
  })

  test('can be searched, paged, and had as CSV', async () => {
    expect((await api('GET', '/accounts/acme/refusals?q=new.acme')).body.items).toHaveLength(1)
    const first = (await api('GET', '/accounts/acme/refusals?limit=1')).body
    const second = (await api('GET', `/accounts/acme/refusals?limit=1&cursor=${first.next}`)).body
    expect([first.items.length, second.items.length, second.next]).toEqual([1, 1, null])
    expect((await api('GET', '/accounts/acme/refusals?format=csv')).text).toStartWith('endpoint,check,origin,count')
  })

  test.each(['tomorrow', '2999-01-01', '0d'])('refuse the time "%s"', async (since) => {
    expect((await api('GET', `/accounts/acme/refusals?since=${since}`)).status).toBe(422)
  })
})

describe('tracking keys', () => {
  const fingerprints = async () =>
    (await api('GET', '/accounts/other/keys')).body.items.map(({ fingerprint }: { fingerprint: string }) => fingerprint)

  test('are listed without themselves, and a new one is shown once', async () => {
    const { body } = await api('POST', '/accounts/other/keys/rotate?overlap=7d')
    expect(body).toEqual({
      account: 'other',
      trackingKey: expect.stringMatching(/^svc_tk_/),
      oldKeysValidUntil: expect.any(String),
      siteToml: expect.stringContaining(body.trackingKey),
    })
    const own = new Bun.CryptoHasher('sha256').update(body.trackingKey).digest('hex').slice(0, 12)
    expect(await fingerprints()).toContain(own)
    expect(await fingerprints()).toHaveLength(2)
    expect((await api('GET', '/accounts/other/keys')).text).not.toContain(body.trackingKey)
  })

  test('are revoked all at once', async () => {
    expect((await api('POST', '/accounts/other/keys/revoke')).body).toEqual({ account: 'other', revoked: 2 })
    expect(await fingerprints()).toEqual([])
  })

  test('overlap by a year at most', async () => {
    expect((await api('POST', '/accounts/other/keys/rotate?overlap=2y')).status).toBe(422)
  })
})

test('a signing key is replaced, and none of another purpose', async () => {
  const { body } = await api('POST', '/secrets/preview/rotate')
  expect(body).toEqual({ purpose: 'preview', keyId: expect.any(String), oldKeysVerifyUntil: null })
  expect((await api('POST', '/secrets/name/rotate')).status).toBe(404)
})

test('the box is examined as by `doctor --json`, while the console answers', async () => {
  const examined = api('GET', '/doctor')
  expect((await api('GET', '/accounts')).status).toBe(200)
  const { status, body } = await examined
  const own = await printed(['doctor'])
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(Object.keys(own))
  const names = ({ checks }: { checks: { check: string; status: string }[] }) =>
    checks.map(({ check, status }) => `${check} ${status}`)
  expect(names(body)).toEqual(names(own))
})

test('what is written stands in the audit log', async () => {
  const { text } = await api('GET', '/audit?limit=1000')
  for (const action of ['domain.check', 'key.rotate', 'key.revoke', 'secret.rotate'])
    expect(text).toContain(`"action":"${action}"`)
})
