// Spec, form capture, "Posting from a server", and docs/behind-a-proxy.md: which headers of whom are believed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { corsHeaderNames, refusalOf } from '../harness/http.ts'

const serverHeaders = { origin: null, 'user-agent': 'acme-crm/2.1' }
let direct: Box
let proxied: Box

beforeAll(async () => {
  const forms = [aForm(), aForm({ id: 'guarded1', bot_check: 'on' })]
  const accounts = ['acme', 'truncated', 'none'] as const
  const sites = accounts.map((account) => {
    return aSite({ account, forms, ...(account === 'acme' ? {} : { store_ip: account }) })
  })
  direct = await Box.start(sites)
  proxied = await Box.start(sites, { server: { trusted_proxies: ['127.0.0.1/32', '10.0.0.0/8'] } })
}, boxStartMsMax)

afterAll(async () => {
  await direct.stop()
  await proxied.stop()
})

test('is allowed without an Origin, and answered without CORS headers', async () => {
  const answer = await direct.send(formRequest({ headers: serverHeaders }))
  expect({ status: answer.status, cors: corsHeaderNames(answer) }).toEqual({ status: 200, cors: [] })
})

test('is recorded as what it is', async () => {
  const id = submissionIdOf(await direct.send(formRequest({ headers: serverHeaders })))
  const stored = (await direct.submissions()).find(({ submissionId }) => submissionId === id)
  expect(stored?.source).toEqual({
    ip: '127.0.0.1',
    userAgent: 'acme-crm/2.1',
    origin: null,
    referer: null,
    host: 'go.acme.test',
    split: null,
    variant: null,
  })
})

test('cannot pass a bot check without a token from a browser', async () => {
  const answer = await direct.send(formRequest({ form: 'guarded1', headers: serverHeaders }))
  expect(refusalOf(answer)).toEqual({ status: 403, code: 'bot' })
})

async function storedAddress(box: Box, account: string, headers: Record<string, string>): Promise<string | null> {
  const id = submissionIdOf(await box.send(formRequest({ account, headers })))
  const stored = (await box.submissions(account)).find(({ submissionId }) => submissionId === id)
  return stored?.source.ip ?? null
}

describe('the address that is stored', () => {
  test('is the peer, whatever it claims, where no proxy is trusted', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' }
    expect(await storedAddress(direct, 'acme', headers)).toBe('127.0.0.1')
  })

  test.each([
    ['the one that the trusted proxy names', '203.0.113.9', '203.0.113.9'],
    ['the right-most that is no trusted proxy', '6.6.6.6, 203.0.113.9, 10.1.1.1', '203.0.113.9'],
    ['the last good one before something that is none', 'unknown, 10.1.1.1', '10.1.1.1'],
    ['without its port', '203.0.113.9:4711', '203.0.113.9'],
    ['IPv6 in its canonical form', '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ])('is behind a trusted proxy %s', async (_what, forwardedFor, address) => {
    expect(await storedAddress(proxied, 'acme', { 'x-forwarded-for': forwardedFor })).toBe(address)
  })

  test.each([
    ['truncated', '203.0.113.9', '203.0.113.0'],
    ['truncated', '2001:db8:1:2::1', '2001:db8:1::'],
    ['none', '203.0.113.9', null],
  ] as const)('is %s where the account says so: %s', async (account, forwardedFor, address) => {
    expect(await storedAddress(proxied, account, { 'x-forwarded-for': forwardedFor })).toBe(address)
  })
})

describe('forwarding headers of a peer that is not trusted', () => {
  test.each([
    ['make no origin its own', { origin: 'https://go.acme.test', 'x-forwarded-proto': 'https' }, 403],
    [
      'lead to no other account',
      { 'x-forwarded-host': 'go.truncated.test', origin: 'https://www.truncated.test' },
      403,
    ],
    ['do not stand in for the host', { 'x-forwarded-host': 'unknown.test' }, 200],
  ])('%s', async (_what, headers, status) => {
    expect((await direct.send(formRequest({ headers }))).status).toBe(status)
  })
})
