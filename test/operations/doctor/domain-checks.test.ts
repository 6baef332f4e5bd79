import { expect, test } from 'bun:test'
import { domainChecks, type HostCircumstances } from '../../../src/operations/doctor/domain-checks.ts'
import type { Certificate, ObservedHost } from '../../../src/operations/doctor/observed-host.ts'

const dayMs = 86_400_000
const now = Date.UTC(2026, 10, 20)
const circumstances: HostCircumstances = { now, listensHereAlone: false, tls: 'proxy' }

const certificate = (overrides: Partial<Certificate> = {}): Certificate => ({
  issuer: "Let's Encrypt, R11",
  validFrom: now - 30 * dayMs,
  validUntil: now + 60 * dayMs,
  namesHost: true,
  distrust: null,
  ...overrides,
})

const observed = (overrides: Partial<ObservedHost> = {}): ObservedHost => ({
  host: 'go.acme.example',
  of: 'Acme Studio',
  account: 'acme',
  scheme: 'https',
  port: 443,
  lookup: { addresses: ['203.0.113.7'] },
  addresses: [{ address: '203.0.113.7', silence: null, certificate: certificate() }],
  ...overrides,
})

const withCertificate = (overrides: Partial<Certificate>): ObservedHost =>
  observed({ addresses: [{ address: '203.0.113.7', silence: null, certificate: certificate(overrides) }] })

const foundOf = (host: ObservedHost) =>
  domainChecks(host, circumstances).map(({ status, found }) => `${status} ${found}`)

test('a host that is as it should be is one line with address, port, issuer and end', () => {
  expect(foundOf(observed())).toEqual([
    "ok go.acme.example (Acme Studio) is 203.0.113.7; port 443 answers with a certificate of Let's Encrypt, R11, valid until 2027-01-19 00:00:00 UTC.",
  ])
})

test.each([
  ['has expired', { validUntil: now - 1 }],
  ['ends soon', { validFrom: now - 77 * dayMs, validUntil: now + 13 * dayMs }],
  ['is not trusted (SELF_SIGNED_CERT_IN_CHAIN)', { distrust: 'SELF_SIGNED_CERT_IN_CHAIN' }],
  ['does not name go.acme.example', { namesHost: false }],
])('a certificate that %s is a warning', (fault, overrides) => {
  const [result, ...more] = foundOf(withCertificate(overrides))
  expect(result).toStartWith('warning go.acme.example (Acme Studio) at 203.0.113.7: its certificate of Let')
  expect(result).toContain(fault)
  expect(more).toEqual([])
})

test('a certificate for six days is not about to end while most of them are left', () => {
  expect(foundOf(withCertificate({ validFrom: now - dayMs, validUntil: now + 5 * dayMs }))[0]).toStartWith('ok ')
})

test('each address is judged by itself', () => {
  const well = { address: '203.0.113.7', silence: null, certificate: certificate() }
  const old = { address: '198.51.100.9', silence: null, certificate: certificate({ validUntil: now - dayMs }) }
  const results = foundOf(observed({ addresses: [well, old] }))
  expect(results).toEqual([expect.stringContaining('at 198.51.100.9: its certificate')])
})

test('of an address on which nothing answers the reason is named', () => {
  const silent = { address: '203.0.113.7', silence: 'no answer', certificate: 'no answer' }
  expect(foundOf(observed({ addresses: [silent] }))).toEqual([
    'warning go.acme.example (Acme Studio): nothing answers on port 443 of 203.0.113.7 (no answer).',
  ])
})

test('a box that listens on this machine alone is told to put a proxy in front', () => {
  const silent = { address: '203.0.113.7', silence: 'ECONNREFUSED', certificate: null }
  const host = observed({ scheme: 'http', port: 8080, addresses: [silent] })
  const [result] = domainChecks(host, { ...circumstances, listensHereAlone: true })
  expect(result?.advice).toContain('trusted_proxies')
})

test('beside plain HTTP a certificate on port 443 is told, and nothing is wrong with it', () => {
  const answering = { address: '203.0.113.7', silence: null, certificate: certificate({ namesHost: false }) }
  const found = foundOf(observed({ scheme: 'http', port: 80, addresses: [answering] }))
  expect(found).toEqual([
    expect.stringMatching(/^ok .+; port 80 answers, and port 443 with a certificate of .+ that does not name it\.$/),
  ])
})

test('of a name with nothing but an IPv6 address, a machine without IPv6 says that it did not look', () => {
  const found = foundOf(observed({ lookup: { addresses: ['2001:db8::1'] }, addresses: [] }))
  expect(found).toEqual([expect.stringMatching(/^ok .+ is 2001:db8::1; .+ no IPv6\.$/)])
})
