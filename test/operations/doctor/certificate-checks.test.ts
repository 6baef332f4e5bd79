import { expect, test } from 'bun:test'
import { nothingObserved } from '../../../src/https/certificate-store.ts'
import type { DomainStatus } from '../../../src/https/domain-status.ts'
import { type CertificateCircumstances, certificateChecks } from '../../../src/operations/doctor/domain-checks.ts'

const dayMs = 86_400_000
const now = Date.UTC(2026, 10, 22)
const auto: CertificateCircumstances = {
  ...{ mode: 'auto', isRunning: true, folder: '/srv/certificates', now },
  nameOf: () => 'Acme Studio',
}
const files: CertificateCircumstances = { ...auto, mode: 'files', isRunning: false }

/** A name with a certificate of 90 days, of which so many are left. */
const active = (host: string, daysLeft = 60, overrides: Partial<DomainStatus> = {}): DomainStatus => ({
  ...{ host, account: 'acme', use: 'site', state: 'active', reason: '', observed: nothingObserved, nextTryAt: null },
  certificate: {
    ...{ issuer: 'Test', serial: '01', renewAt: null },
    notBefore: now - (90 - daysLeft) * dayMs,
    notAfter: now + daysLeft * dayMs,
  },
  ...overrides,
})
const waiting = (host: string): DomainStatus =>
  active(host, 0, { state: 'waiting', certificate: null, reason: `${host} is not in the DNS: add an A record.` })

const lines = (statuses: DomainStatus[], circumstances = auto) =>
  certificateChecks(statuses, circumstances).map(({ status, found }) => `${status} ${found}`)

test('names that have their certificate are one line', () => {
  expect(lines([active('a.com'), active('b.com', 40)])).toEqual([
    'ok 2 names have their certificate, the first to end at 2027-01-01 00:00:00 UTC: a.com, b.com.',
  ])
})

test('a name without one is a warning with the reason as its advice', () => {
  expect(certificateChecks([waiting('a.com')], auto)).toEqual([
    {
      check: 'certificate',
      status: 'warning',
      found: 'a.com (Acme Studio) waits for its certificate.',
      advice: 'a.com is not in the DNS: add an A record.',
      accounts: ['acme'],
      page: { name: 'domains', account: 'acme' },
    },
  ])
})

test('where somebody puts certificates into a folder, a name does not wait for one: it needs it', () => {
  expect(lines([waiting('a.com')], files)).toEqual(['warning a.com (Acme Studio) needs a certificate.'])
})

test('a name that keeps its certificate while its renewal fails says until when', () => {
  const failing = active('a.com', 30, { state: 'failing', reason: 'The authority refused.' })
  expect(lines([failing])).toEqual([
    'warning a.com (Acme Studio) fails to get its next certificate; the one it has ends at 2026-12-22 00:00:00 UTC.',
  ])
})

test.each([
  [23, 'ok '],
  [22, 'warning The certificate of a.com (Acme Studio) is in the last quarter of its life: it ends at '],
  [-1, 'warning The certificate of a.com (Acme Studio) has expired: browsers refuse its pages.'],
])('with %d of 90 days left', (days, beginning) => {
  expect(lines([active('a.com', days)])[0]).toStartWith(beginning)
})

test('the advice for one that ends soon is that of the mode', () => {
  const advice = (circumstances: CertificateCircumstances) =>
    certificateChecks([active('a.com', 5)], circumstances)[0]?.advice
  expect(advice(auto)).toContain('`capture domain check a.com`')
  expect(advice(files)).toBe('Put a new one into `/srv/certificates`.')
})

test('in mode auto a box without a service renews nothing; in mode files that is no matter', () => {
  expect(lines([active('a.com')], { ...auto, isRunning: false })[0]).toStartWith('warning No service is running')
  expect(lines([active('a.com')], files)).toHaveLength(1)
})

test('names that are off are one line, and no warning', () => {
  const off = (host: string) => active(host, 0, { state: 'off', certificate: null, reason: 'x' })
  expect(lines([off('a.localhost'), off('b.test')])).toEqual([
    'ok No authority issues certificates for names that public DNS does not hold: a.localhost, b.test.',
  ])
})

test('three hundred names are a dozen lines', () => {
  const names = Array.from({ length: 300 }, (_, number) => `a${number}.com`)
  expect(lines(names.map((host) => active(host)))).toHaveLength(1)
  const unwell = certificateChecks(names.map(waiting), auto)
  expect(unwell).toHaveLength(11)
  expect(unwell.at(-1)).toMatchObject({ found: '290 more names have the same problem.', advice: 'capture domain list' })
})
