// Spec, "Limits", the rows of budgets, and form check 6, event check 5; docs/configuration.md, `limits`.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { type Answer, refusalOf } from '../harness/http.ts'

const perIp = 30
const perOrigin = 300
const limited = { status: 429, code: 'rate_limited' }

let box: Box
let callersMade = 0

beforeAll(async () => {
  const forms = [aForm(), aForm({ id: 'second01' }), aForm({ id: 'draft001', registered: false })]
  const sites = ['acme', 'beta'].map((account) => aSite({ account, forms, origins: ['https://*.acme.test'] }))
  // The spec's budgets over a day in place of a minute, so that nothing is refilled while a test counts.
  const limits = {
    form_per_ip: 30,
    form_per_origin: 300,
    event_per_ip: 30,
    event_per_origin: 300,
    window_seconds: 86_400,
  }
  box = await Box.start(sites, { limits, server: { trusted_proxies: ['127.0.0.1/32'] } })
}, boxStartMsMax)

afterAll(() => box.stop())

interface Caller {
  ip: string
  origin: string | null
}

/** An address and an origin that no other caller has. */
function aCaller(overrides: Partial<Caller> = {}): Caller {
  const n = ++callersMade
  return { ip: `198.18.${n >> 8}.${n & 255}`, origin: `https://page${n}.acme.test`, ...overrides }
}

const headersOf = ({ ip, origin }: Caller) => ({ 'x-forwarded-for': ip, origin })

interface Posting {
  form?: string
  account?: string
}

const postForm = (caller: Caller, posting: Posting = {}): Promise<Answer> =>
  box.send(formRequest({ ...posting, headers: headersOf(caller) }))

const postEvent = (caller: Caller, posting: Posting = {}): Promise<Answer> =>
  box.send(eventRequest({ ...posting, headers: headersOf(caller) }))

/** The statuses of so many requests, one after the other. */
async function statuses(count: number, post: () => Promise<Answer>): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < count; i++) found.push((await post()).status)
  return found
}

describe.each([
  ['form capture', postForm, 200],
  ['event capture', postEvent, 202],
] as const)('%s', (_name, post, accepted) => {
  /** How many of so many requests are accepted before the first one that is not. */
  const acceptedOf = async (count: number, next: () => Promise<Answer>) =>
    (await statuses(count, next)).filter((status) => status === accepted).length

  test('takes 30 requests of one address, and refuses the next', async () => {
    const caller = aCaller()
    expect(await statuses(perIp, () => post(caller))).toEqual(Array(perIp).fill(accepted))
    expect(refusalOf(await post(caller))).toEqual(limited)
  })

  test('takes 300 requests of one origin, and refuses the next', async () => {
    const { origin } = aCaller()
    const next = () => post(aCaller({ origin }))
    expect(await acceptedOf(perOrigin, next)).toBe(perOrigin)
    expect(refusalOf(await next())).toEqual(limited)
  })

  test('without an Origin counts the address alone', async () => {
    const nobody = () => post(aCaller({ origin: null }))
    expect(await acceptedOf(perOrigin + 1, nobody)).toBe(perOrigin + 1)
  })

  test('without an Origin still counts the address', async () => {
    const caller = aCaller({ origin: null })
    await statuses(perIp, () => post(caller))
    expect(refusalOf(await post(caller))).toEqual(limited)
  })

  test('counts the own origin as an origin', async () => {
    const next = () => post(aCaller({ origin: 'http://go.acme.test' }))
    await acceptedOf(perOrigin, next)
    expect(refusalOf(await next())).toEqual(limited)
  })

  test('takes from all of its budgets or from none', async () => {
    const [spent, other] = [aCaller(), aCaller()]
    await statuses(perIp, () => post(spent))
    // Refused for its address, over and over: the origin must not pay for it.
    await statuses(perOrigin, () => post({ ...spent, origin: other.origin }))
    expect(await acceptedOf(perIp, () => post(other))).toBe(perIp)
  })

  test('says in Retry-After, in whole seconds, when the next token is there', async () => {
    const caller = aCaller()
    await statuses(perIp, () => post(caller))
    const seconds = Number((await post(caller)).headers.get('retry-after'))
    const secondsPerToken = 86_400 / perIp
    expect(Number.isInteger(seconds)).toBe(true)
    expect(seconds).toBeWithin(secondsPerToken / 2, secondsPerToken + 1)
  })

  test('lets page code read Retry-After', async () => {
    const caller = aCaller()
    await statuses(perIp, () => post(caller))
    const { headers } = await post(caller)
    expect(headers.get('access-control-expose-headers')).toBe('Retry-After')
  })

  test('counts the addresses of one IPv6 /64 together', async () => {
    const net = '2001:db8:1:2'
    let host = 0
    const next = () => post(aCaller({ ip: `${net}:${(++host).toString(16)}::1`, origin: null }))
    await statuses(perIp, next)
    expect(refusalOf(await next())).toEqual(limited)
    expect((await post(aCaller({ ip: '2001:db8:1:3::1' }))).status).toBe(accepted)
  })

  test('counts an IPv4 address written as IPv6 as what it is', async () => {
    const caller = aCaller()
    await statuses(perIp, () => post(caller))
    expect(refusalOf(await post({ ...caller, ip: `::ffff:${caller.ip}` }))).toEqual(limited)
  })

  test('is not fooled by addresses that the caller puts in front', async () => {
    const caller = aCaller()
    let n = 0
    const next = () => post({ ...caller, ip: `10.1.2.${++n}, ${caller.ip}` })
    await statuses(perIp, next)
    expect(refusalOf(await next())).toEqual(limited)
  })

  test("does not spend another account's budget", async () => {
    const caller = aCaller()
    await statuses(perIp + 1, () => post(caller))
    expect((await post(caller, { account: 'beta' })).status).toBe(accepted)
  })
})

describe('budgets are kept apart:', () => {
  test('each form has its own for an address', async () => {
    const caller = aCaller()
    await statuses(perIp + 1, () => postForm(caller))
    expect((await postForm(caller, { form: 'second01' })).status).toBe(200)
  })

  test('all forms of an account share the one of an origin', async () => {
    const { origin } = aCaller()
    await statuses(perOrigin, () => postForm(aCaller({ origin })))
    expect(refusalOf(await postForm(aCaller({ origin }), { form: 'second01' }))).toEqual(limited)
  })

  test('forms and events do not share any', async () => {
    const [a, b] = [aCaller(), aCaller()]
    await statuses(perIp + 1, () => postForm(a))
    await statuses(perIp + 1, () => postEvent(b))
    expect([(await postEvent(a)).status, (await postForm(b)).status]).toEqual([202, 200])
  })
})

describe('a request that an earlier check refuses takes from no budget:', () => {
  test.each([
    ['another content type', { headers: { 'content-type': 'text/plain' } }],
    ['no JSON', { body: '{' }],
    ['a form that is not registered', { form: 'draft001' }],
  ])('%s', async (_what, refused) => {
    const caller = aCaller()
    for (let i = 0; i < perIp; i++) {
      const headers = { ...headersOf(caller), ...('headers' in refused ? refused.headers : {}) }
      await box.send(formRequest({ ...refused, headers }))
    }
    expect(await statuses(perIp, () => postForm(caller))).toEqual(Array(perIp).fill(200))
  })
})

test('a request that a later check refuses has taken its token', async () => {
  const caller = aCaller()
  for (let i = 0; i < perIp; i++) {
    await box.send(eventRequest({ headers: { ...headersOf(caller), 'x-svc-consent': null } }))
  }
  expect(refusalOf(await postEvent(caller))).toEqual(limited)
})
