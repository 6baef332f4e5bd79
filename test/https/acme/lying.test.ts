import { describe, expect, test } from 'bun:test'
import { makeCertificate } from '../../harness/certificates.ts'
import { newAccountAt, orderFor } from './acme-world.ts'
import { problemIn } from './failure.ts'
import { altered, keptHeaders, type Tamper, type TamperedWorld, tamperedWorld, tamperingAt } from './tampered-world.ts'

const host = 'shop.some-customer.com'

const worldWith = (start: string, answer: Tamper) => tamperedWorld(tamperingAt(start, answer), { hosts: [host] })
const orderIn = async (world: TamperedWorld) => (await newAccountAt(world.authority)).order(orderFor(world, host))

const html = () =>
  new Response('<!doctype html><title>Welcome to nginx</title>', { headers: { 'content-type': 'text/html' } })
const endless = () =>
  new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)) }))

describe('a directory that is none comes from somebody else: the authority cannot be reached', () => {
  test.each<[string, () => Response, string]>([
    ['a web page', html, '(text/html) with "<!doctype html>'],
    ['an endless body', endless, 'sent more than 65536 bytes'],
    ['a JSON list', () => Response.json([]), 'where JSON was due'],
    ['nothing', () => new Response(''), 'with nothing'],
    ['no newOrder', () => Response.json({ newNonce: 'https://a.test', newAccount: 'https://a.test' }), '"newOrder"'],
    ['plain http', () => Response.json({ newNonce: 'http://a.test/', newAccount: 'https://a.test' }), '"newNonce"'],
    ['a redirect', () => Response.redirect('https://elsewhere.test/dir'), 'redirects to https://elsewhere.test/dir'],
    ['404', () => new Response('no such page', { status: 404 }), '404'],
  ])('%s', async (_, answer, expected) => {
    await using world = await worldWith('/dir', answer)
    const problem = await problemIn(world.authority.offer())
    expect(problem.kind).toBe('unreachable')
    expect(problem.detail).toContain(expected)
  })
})

test.each(['/sign-me-up', '/order-plz', '/authZ/', '/certZ/'])(
  'a web page from %s comes from somebody else: the authority cannot be reached',
  async (start) => {
    await using world = await worldWith(start, html)
    expect(await problemIn(orderIn(world))).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringContaining('answered 200 with a web page'),
    })
  },
)

test('a server error is no lie: the authority is not to be reached for now, and says until when', async () => {
  await using world = await worldWith(
    '/dir',
    () => new Response('<h1>Down for maintenance</h1>', { status: 503, headers: { 'retry-after': '120' } }),
  )
  expect(await problemIn(world.authority.offer())).toMatchObject({
    kind: 'unreachable',
    status: 503,
    retryAfterMs: 120_000,
  })
})

test('after a directory that failed the next question asks again', async () => {
  let failures = 1
  await using world = await tamperedWorld(({ path, forward }) =>
    path === '/dir' && failures-- > 0 ? html() : forward(),
  )
  await problemIn(world.authority.offer())
  expect((await world.authority.offer()).tellsRenewal).toBe(true)
})

test('what the directory says is cleaned before it reaches a terminal', async () => {
  const detail = `\u001b[2J\u202egone\r\nERROR root: \u0000${'x'.repeat(5_000)}`
  await using world = await worldWith('/dir', () => Response.json({ detail, type: 'a\nb' }, { status: 400 }))
  const problem = await problemIn(world.authority.offer())
  expect(problem.detail).toStartWith('[2J gone ERROR root: xxx')
  expect(problem.detail.length).toBeLessThan(500)
  expect(problem.type).toBe('a b')
})

describe('an account', () => {
  test('without a nonce cannot be asked for', async () => {
    await using world = await worldWith('/nonce-plz', () => new Response(null))
    expect((await problemIn(newAccountAt(world.authority))).detail).toContain('without a Replay-Nonce')
  })

  test('without a Location is none', async () => {
    await using world = await worldWith('/sign-me-up', () => Response.json({}, { status: 201 }))
    const problem = await problemIn(newAccountAt(world.authority))
    expect(problem.kind).toBe('unintelligible')
    expect(problem.detail).toContain('without a Location')
  })

  test('that is limited says so, and for how long', async () => {
    const type = 'urn:ietf:params:acme:error:rateLimited'
    await using world = await worldWith('/sign-me-up', () =>
      Response.json({ type, detail: 'too many accounts' }, { status: 429, headers: { 'retry-after': '3600' } }),
    )
    const problem = await problemIn(newAccountAt(world.authority))
    expect(problem).toMatchObject({ kind: 'rateLimited', type, detail: 'too many accounts', retryAfterMs: 3_600_000 })
  })

  test('whose terms have changed says where they are', async () => {
    const type = 'urn:ietf:params:acme:error:userActionRequired'
    const instance = 'https://ca.test/terms-2027'
    await using world = await worldWith('/sign-me-up', () =>
      Response.json({ type, detail: 'Terms of service have changed', instance }, { status: 403 }),
    )
    const problem = await problemIn(newAccountAt(world.authority))
    expect(problem).toMatchObject({ kind: 'terms', detail: `Terms of service have changed (see ${instance})` })
  })
})

describe('an order', () => {
  test('whose fault has parts tells each with its host', async () => {
    const type = 'urn:ietf:params:acme:error:caa'
    const subproblems = [{ type, detail: 'CAA forbids', identifier: { type: 'dns', value: host } }, 'nonsense']
    const compound = { type: 'urn:ietf:params:acme:error:compound', detail: 'Several', subproblems }
    await using world = await worldWith('/order-plz', () => Response.json(compound, { status: 403 }))
    expect((await problemIn(orderIn(world))).subproblems).toEqual(['CAA forbids'])
  })

  test.each<[string, string, (members: Record<string, unknown>) => object, string]>([
    ['without authorizations', '/order-plz', (order) => ({ ...order, authorizations: [] }), 'authorizations'],
    [
      'with too many of them',
      '/order-plz',
      (order) => ({ ...order, authorizations: Array(11).fill('https://a.test') }),
      'authorizations',
    ],
    [
      'whose authorizations are not https',
      '/order-plz',
      (order) => ({ ...order, authorizations: ['http://a.test'] }),
      'authorizations',
    ],
    [
      'authorized for another host',
      '/authZ/',
      (it) => ({ ...it, identifier: { type: 'dns', value: 'other.test' } }),
      'is about other.test',
    ],
    ['with a token that is a path', '/authZ/', withToken('../../secret'), 'without a token'],
    ['without finalize', '/my-order/', ({ finalize, ...order }) => order, '"finalize"'],
    ['of a status that does not exist', '/my-order/', (order) => ({ ...order, status: 'hungry' }), 'hungry'],
  ])('%s is refused', async (_, start, change, expected) => {
    await using world = await worldWith(start, (passing) => altered(passing, change))
    const problem = await problemIn(orderIn(world))
    expect(problem.kind).toBe('unintelligible')
    expect(problem.detail).toContain(expected)
  })

  test('that has become invalid ends with its error', async () => {
    const error = { type: 'urn:ietf:params:acme:error:caa', detail: 'CAA record prevents issuance' }
    await using world = await worldWith('/my-order/', (passing) =>
      altered(passing, (order) => ({ ...order, status: 'invalid', error })),
    )
    expect(await problemIn(orderIn(world))).toMatchObject({ kind: 'rejected', ...error })
  })
})

describe('a certificate', () => {
  const sending = (text: string) =>
    worldWith('/certZ/', async ({ forward }) => new Response(text, { headers: keptHeaders(await forward()) }))

  test.each([
    ['for another key', makeCertificate(host).certificate, 'for another key'],
    ['that is a web page', '<html>', 'did not send a chain'],
    ['that is broken', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'did not send a chain'],
    ['of too many parts', makeCertificate(host).certificate.repeat(11), 'did not send a chain'],
  ])('%s is refused', async (_, text, expected) => {
    await using world = await sending(text)
    const problem = await problemIn(orderIn(world))
    expect(problem.kind).toBe('unintelligible')
    expect(problem.detail).toContain(expected)
  })

  test('that comes with a private key and text keeps the certificates alone', async () => {
    await using world = await worldWith('/certZ/', async ({ forward }) => {
      const answer = await forward()
      return new Response(`hello\n${makeCertificate(host).key}${await answer.text()}`, { headers: keptHeaders(answer) })
    })
    const { certificate } = await orderIn(world)
    expect(certificate.split('\n').filter((line) => line.startsWith('-----BEGIN'))).toEqual([
      '-----BEGIN CERTIFICATE-----',
      '-----BEGIN CERTIFICATE-----',
    ])
    expect(certificate).not.toContain('PRIVATE')
  })
})

test('an order that is called pending although its host is authorized goes on', async () => {
  await using world = await tamperedWorld(
    tamperingAt('/order-plz', (passing) => altered(passing, (order) => ({ ...order, status: 'pending' }))),
    { hosts: [host], authorizationReusePercent: 100 },
  )
  const account = await newAccountAt(world.authority)
  await account.order(orderFor(world, host))
  const answers = { http01: null, txtRecords: null }
  expect((await account.order(orderFor(world, host, { answers }))).certificate).toContain('BEGIN CERTIFICATE')
})

describe('an order that cannot go on', () => {
  test('takes its authorization back, so that it does not stay pending', async () => {
    await using world = await worldWith('/none', ({ forward }) => forward())
    const account = await newAccountAt(world.authority)
    await problemIn(account.order(orderFor(world, host, { answers: { http01: null, txtRecords: null } })))
    const { path = '', payload } = world.passed.at(-1) ?? {}
    expect(path).toStartWith('/authZ/')
    expect(payload).toEqual({ status: 'deactivated' })
  })

  test('leaves an authorization that was decided as it is', async () => {
    await using world = await worldWith('/none', ({ forward }) => forward())
    const account = await newAccountAt(world.authority)
    const answers = { txtRecords: null, http01: async () => ({ [Symbol.asyncDispose]: async () => {} }) }
    await problemIn(account.order(orderFor(world, host, { answers })))
    expect(world.passed.map(({ payload }) => payload)).not.toContainEqual({ status: 'deactivated' })
  })
})

function withToken(token: string) {
  return ({ challenges, ...rest }: Record<string, unknown>) => ({
    ...rest,
    challenges: (challenges as object[]).map((challenge) => ({ ...challenge, token })),
  })
}
