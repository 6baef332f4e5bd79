import { expect, test } from 'bun:test'
import { domainsText, domainText, staleness } from '../../../src/cli/domain/domain-text.ts'
import { plain } from '../../../src/cli/output/style.ts'
import { nothingObserved } from '../../../src/https/certificate-store.ts'
import type { DomainStatus } from '../../../src/https/domain-status.ts'

const aDomain = (overrides: Partial<DomainStatus> = {}): DomainStatus => ({
  host: 'shop.acme.com',
  account: 'acme',
  use: 'site',
  state: 'waiting',
  reason: 'shop.acme.com is not in the DNS: add an A record with 198.51.100.4.',
  observed: nothingObserved,
  certificate: null,
  nextTryAt: Date.UTC(2026, 10, 22, 6),
  ...overrides,
})
const certificate = { issuer: "Let's Encrypt E7", serial: '0a1b', notBefore: 0, renewAt: Date.UTC(2027, 0, 1) }
const active = aDomain({
  ...{ host: 'go.acme.com', state: 'active', reason: '', nextTryAt: null },
  certificate: { ...certificate, notAfter: Date.UTC(2027, 1, 1) },
})
const longest = (text: string) => Math.max(...text.split('\n').map((line) => Bun.stringWidth(line)))

test('each name has a line, and what is to be done stands below', () => {
  expect(domainsText([active, aDomain()], { style: plain, columns: 80 })).toBe(
    [
      'Host           Account  State    Valid until  Next try',
      'go.acme.com    acme     active   2027-02-01',
      'shop.acme.com  acme     waiting               2026-11-22 06:00:00 UTC',
      '',
      '  shop.acme.com is not in the DNS: add an A record with 198.51.100.4.',
      '',
    ].join('\n'),
  )
})

test('columns that say nothing are left out', () => {
  const text = domainsText([aDomain({ account: null, use: 'preview', nextTryAt: null })], { style: plain, columns: 80 })
  expect(text).toStartWith('Host           Account     State\nshop.acme.com  (previews)  waiting\n')
})

test('a reason that several names share stands once, with five of them at most', () => {
  const shared = Array.from({ length: 8 }, (_, n) => aDomain({ host: `a${n}.acme.com`, reason: 'No service runs.' }))
  const text = domainsText(shared, { style: plain, columns: 200 })
  expect(text.match(/No service runs/g)).toHaveLength(1)
  expect(text).toContain('a0.acme.com, a1.acme.com, a2.acme.com, a3.acme.com, a4.acme.com and 3 more names: No service')
})

test('names that fill a terminal of 80 columns have their line to themselves', () => {
  const host = `${'a'.repeat(60)}.acme.example-of-a-name.com`
  const text = domainsText([active, aDomain({ host, reason: 'It waits for its DNS.' })], { style: plain, columns: 80 })
  expect(text).toContain(`\n${host}\n  waiting, acme, next try 2026-11-22 06:00:00 UTC\n`)
  expect(longest(domainsText([active, aDomain()], { style: plain, columns: 80 }))).toBeLessThanOrEqual(80)
})

test('one name is told with all that was observed', () => {
  const observed = { ...nothingObserved, a: ['198.51.100.4'], cname: 'box.acme.net', caa: ['0 issue "x"'] }
  const text = domainText({ ...active, observed: { ...observed, http: 'ours' } }, null, { style: plain, columns: 80 })
  expect(text).toStartWith('go.acme.com  active\n')
  for (const said of ['198.51.100.4', 'box.acme.net', '0 issue "x"', 'this box answers', "Let's Encrypt E7"]) {
    expect(text).toContain(said)
  }
})

test('nothing that steers a terminal is passed on', () => {
  const observed = { ...nothingObserved, cname: 'a\u001b[31m' }
  expect(
    domainText(aDomain({ observed, reason: 'x\u001b[2J' }), 'y\u001b[2J', { style: plain, columns: 80 }),
  ).not.toContain('\u001b')
})

test('what is told is old when no service runs, or when one that runs is late', () => {
  const now = Date.UTC(2026, 10, 22, 6)
  const hourAgo = [{ nextTryAt: null }, { nextTryAt: now - 3_600_000 }]
  expect(staleness([], { isRunning: false, now })).toContain('no service is running')
  expect(staleness(hourAgo, { isRunning: true, now })).toContain('2026-11-22 05:00:00 UTC')
  expect(staleness([{ nextTryAt: now - 60_000 }], { isRunning: true, now })).toBeNull()
  expect(staleness([{ nextTryAt: null }], { isRunning: true, now })).toBeNull()
})
