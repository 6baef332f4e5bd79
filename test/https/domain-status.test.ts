import { describe, expect, test } from 'bun:test'
import { type KeptName, nothingObserved, type ObservedName } from '../../src/https/certificate-store.ts'
import {
  type ConfiguredDomain,
  type DomainStatus,
  folderStatus,
  keptStatus,
  lookedAtStatus,
} from '../../src/https/domain-status.ts'

const domain: ConfiguredDomain = { host: 'shop.acme.com', account: 'acme', use: 'site' }
const nextTryAt = Date.UTC(2026, 10, 22)
const observed: ObservedName = { ...nothingObserved, a: ['198.51.100.4'], http: 'ours' }

const kept = (overrides: Partial<KeptName> = {}): KeptName => ({
  host: domain.host,
  state: 'waiting',
  reason: 'It waits.',
  observed: nothingObserved,
  nextTryAt,
  decidedAt: 0,
  looks: 0,
  failures: 0,
  failingSince: null,
  isTrial: false,
  removedAt: null,
  certificate: null,
  ...overrides,
})
const running = { isRunning: true }

describe('a name of mode auto', () => {
  test('is told as the service keeps it, without what only the service needs', () => {
    const certificate = {
      ...{ issuer: "Let's Encrypt E7", serial: '0a1b', notBefore: 1, notAfter: 2, renewAt: 3 },
      renewal: { window: null, askAt: 4 },
      directory: 'https://ca.example/directory',
    }
    expect(keptStatus(domain, kept({ state: 'active', reason: '', nextTryAt: null, certificate }), running)).toEqual({
      ...domain,
      state: 'active',
      reason: '',
      observed: nothingObserved,
      certificate: { issuer: "Let's Encrypt E7", serial: '0a1b', notBefore: 1, notAfter: 2, renewAt: 3 },
      nextTryAt: null,
    })
  })

  test('waits where nothing is kept of it, or only from before it was connected again', () => {
    for (const name of [null, kept({ removedAt: 1 })]) {
      expect(keptStatus(domain, name, running)).toMatchObject({ state: 'waiting', nextTryAt: null })
      expect(keptStatus(domain, name, running).reason).toContain('within seconds')
      expect(keptStatus(domain, name, { isRunning: false }).reason).toContain('`capture serve`')
    }
  })
})

describe('a look at the world', () => {
  const status = (state: DomainStatus['state']): DomainStatus => ({ ...keptStatus(domain, kept(), running), state })
  const look = (state: DomainStatus['state'], hindrance: string | null) =>
    lookedAtStatus(status(state), { observed, hindrance, ...running })

  test('says what is in the way, also of a name that the authority has refused', () => {
    for (const state of ['waiting', 'failing'] as const) {
      expect(look(state, 'No.')).toMatchObject({ state: 'waiting', reason: 'No.', observed, nextTryAt })
    }
  })

  test('that finds nothing in the way leaves the words of the authority standing', () => {
    expect(look('failing', null)).toMatchObject({ state: 'failing', reason: 'It waits.', observed })
    expect(look('waiting', null)).toMatchObject({
      state: 'waiting',
      reason: expect.stringContaining('Everything is ready'),
    })
  })

  test('that sees what the service saw leaves what the name waits for standing, such as an authority that is away', () => {
    const away = { ...status('waiting'), observed, reason: 'The authority is away.' }
    expect(lookedAtStatus(away, { observed, hindrance: null, ...running })).toEqual(away)
    const stopped = lookedAtStatus(away, { observed, hindrance: null, isRunning: false })
    expect(stopped.reason).toContain('`capture serve`')
  })

  test('takes no certificate away', () => {
    expect(look('active', 'No.')).toMatchObject({ state: 'active', observed })
  })
})

describe('a name of mode files', () => {
  const where = { folder: '/srv/certificates', whyNot: null }
  const facts = { issuer: 'Acme', serial: '01', notBefore: 1, notAfter: 2 }
  const pair = { host: domain.host, certificate: '', key: '', expiresAt: 0 }

  test('is active with a good pair, which nobody renews here', () => {
    const found = folderStatus(domain, { verdict: { pair }, facts }, where)
    expect(found).toMatchObject({ state: 'active', reason: '', certificate: { ...facts, renewAt: null } })
  })

  test('waits for its files', () => {
    expect(folderStatus(domain, null, where)).toMatchObject({ state: 'waiting', certificate: null })
    expect(folderStatus(domain, null, where).reason).toContain('shop.acme.com.crt')
  })

  test('fails with files that cannot be used, and says why', () => {
    const found = folderStatus(domain, { verdict: { fault: 'the certificate expired' }, facts }, where)
    expect(found).toMatchObject({ state: 'failing', certificate: facts })
    expect(found.reason).toContain('the certificate expired')
  })

  test('is off where it is no public name and has no files; with them it is like any other', () => {
    const own = { ...where, whyNot: 'Names that end in .local are not in public DNS.' }
    expect(folderStatus(domain, null, own)).toMatchObject({ state: 'off', reason: own.whyNot })
    expect(folderStatus(domain, { verdict: { pair }, facts }, own).state).toBe('active')
  })
})
