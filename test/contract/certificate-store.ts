import { describe, expect, test } from 'bun:test'
import {
  type CertificateStore,
  type IssuedCertificate,
  type KeptCertificate,
  type KeptName,
  type KeptOrder,
  nothingObserved,
  type OrderBegun,
  type OrderLog,
  ordersKeptMin,
} from '../../src/https/certificate-store.ts'

export interface CertificateStores {
  certificates: CertificateStore
  orders: OrderLog
}

const hourMs = 3_600_000
const now = Date.UTC(2026, 10, 20)
const directory = 'https://authority.test/dir'

export const aName = (host: string, overrides: Partial<KeptName> = {}): KeptName => ({
  host,
  state: 'waiting',
  reason: 'Nobody has looked yet.',
  observed: nothingObserved,
  nextTryAt: now,
  decidedAt: now,
  looks: 0,
  failures: 0,
  failingSince: null,
  isTrial: false,
  removedAt: null,
  certificate: null,
  ...overrides,
})

export const aCertificate = (overrides: Partial<KeptCertificate> = {}): KeptCertificate => ({
  issuer: 'Authority 1',
  serial: '0a1b',
  notBefore: now,
  notAfter: now + 90 * 24 * hourMs,
  renewAt: now + 60 * 24 * hourMs,
  renewal: { window: { startMs: now + 59 * 24 * hourMs, endMs: now + 61 * 24 * hourMs }, askAt: now + 6 * hourMs },
  directory,
  ...overrides,
})

const anOrder = (host: string, overrides: Partial<OrderBegun> = {}): OrderBegun => ({
  host,
  accountId: 'a1',
  registeredDomain: 'acme.dev',
  directory,
  isAnnounced: false,
  beganAt: now,
  ...overrides,
})

const pair = { certificate: 'the chain', key: 'the key' }

export async function issue(
  { certificates, orders }: CertificateStores,
  host: string,
  overrides: Partial<IssuedCertificate> = {},
): Promise<void> {
  const orderId = await orders.begin(anOrder(host))
  const name = aName(host, { state: 'active', reason: '', nextTryAt: null })
  await certificates.keepCertificate({ name, certificate: aCertificate(), pair, orderId, ...overrides })
}

/** What the ports promise, for every implementation. `makeBox` answers two openings of one new box. */
export function certificateStoreContract(
  name: string,
  makeBox: () => { here: CertificateStores; elsewhere: CertificateStores },
): void {
  describe(name, () => {
    test('keeps everything about a name across openings of the box', async () => {
      const { here, elsewhere } = makeBox()
      const failing = aName('a.acme.dev', {
        state: 'failing',
        reason: 'The authority said no.',
        observed: { a: ['203.0.113.7'], aaaa: [], cname: 'box.acme.dev', caa: ['0 issue "ca.test"'], http: 'ours' },
        failures: 3,
        failingSince: now - hourMs,
        isTrial: true,
        removedAt: now,
      })
      await here.certificates.keepNames([aName('b.acme.dev'), failing])
      expect(await elsewhere.certificates.names()).toEqual([failing, aName('b.acme.dev')])
      expect(await elsewhere.certificates.name('a.acme.dev')).toEqual(failing)
      expect(await elsewhere.certificates.name('c.acme.dev')).toBeNull()
    })

    test('keeps a certificate with the state of its name and the end of its order', async () => {
      const { here, elsewhere } = makeBox()
      await issue(here, 'a.acme.dev')
      const kept = await elsewhere.certificates.name('a.acme.dev')
      expect(kept).toMatchObject({ state: 'active', certificate: aCertificate() })
      expect(await elsewhere.certificates.read('a.acme.dev')).toEqual(pair)
      expect((await elsewhere.orders.since(0)).map(({ outcome }) => outcome)).toEqual(['issued'])
    })

    test('tells neither key nor chain of a name', async () => {
      const { here } = makeBox()
      await issue(here, 'a.acme.dev')
      const told = JSON.stringify([await here.certificates.names(), await here.certificates.name('a.acme.dev')])
      expect(told).not.toContain('the key')
      expect(told).not.toContain('the chain')
    })

    test('has one certificate a name, the latest', async () => {
      const { here } = makeBox()
      await issue(here, 'a.acme.dev')
      await issue(here, 'a.acme.dev', {
        certificate: aCertificate({ serial: 'ff' }),
        pair: { certificate: 'another chain', key: 'another key' },
      })
      expect((await here.certificates.name('a.acme.dev'))?.certificate?.serial).toBe('ff')
      expect(await here.certificates.read('a.acme.dev')).toEqual({ certificate: 'another chain', key: 'another key' })
    })

    test('changing a name leaves its certificate', async () => {
      const { here } = makeBox()
      await issue(here, 'a.acme.dev')
      await here.certificates.keepNames([aName('a.acme.dev')])
      expect((await here.certificates.name('a.acme.dev'))?.certificate).toEqual(aCertificate())
    })

    test('another instant for the renewal is kept, with and without a window', async () => {
      const { here } = makeBox()
      await issue(here, 'a.acme.dev')
      await here.certificates.keepRenewal('a.acme.dev', now + 5, { window: null, askAt: now + 6 })
      const expected = aCertificate({ renewAt: now + 5, renewal: { window: null, askAt: now + 6 } })
      expect((await here.certificates.name('a.acme.dev'))?.certificate).toEqual(expected)
    })

    test('the next try of a name can be moved up, where one is waiting', async () => {
      const { here, elsewhere } = makeBox()
      await here.certificates.keepNames([
        aName('a.acme.dev', { nextTryAt: now + hourMs, looks: 9 }),
        aName('b.acme.dev', { state: 'active', nextTryAt: null }),
        aName('given-up.acme.dev', { state: 'failing', nextTryAt: null }),
      ])
      const hosts = ['a.acme.dev', 'b.acme.dev', 'c.acme.dev', 'given-up.acme.dev']
      const tried = hosts.map((host) => elsewhere.certificates.tryNow(host, now + 1))
      expect(await Promise.all(tried)).toEqual([true, false, false, true])
      expect(await here.certificates.name('a.acme.dev')).toMatchObject({
        nextTryAt: now + 1,
        decidedAt: now + 1,
        looks: 0,
      })
      expect(await here.certificates.name('b.acme.dev')).toMatchObject({ nextTryAt: null })
    })

    test('erases what was removed long ago, certificate and key too, and nothing else', async () => {
      const { here } = makeBox()
      for (const host of ['a.acme.dev', 'b.acme.dev', 'c.acme.dev']) await issue(here, host)
      await here.certificates.keepNames([
        aName('a.acme.dev', { removedAt: now - 1 }),
        aName('b.acme.dev', { removedAt: now }),
      ])
      expect(await here.certificates.eraseRemoved(now)).toEqual(['a.acme.dev'])
      expect((await here.certificates.names()).map(({ host }) => host)).toEqual(['b.acme.dev', 'c.acme.dev'])
      expect(await here.certificates.read('a.acme.dev')).toBeNull()
      expect(await here.certificates.read('b.acme.dev')).toEqual(pair)
    })

    test('has one account a directory, which can change', async () => {
      const { here, elsewhere } = makeBox()
      expect(await here.certificates.account(directory)).toBeNull()
      await here.certificates.keepAccount(directory, { key: 'k1', url: null })
      await here.certificates.keepAccount('https://other.test/dir', { key: 'k2', url: 'https://other.test/2' })
      await here.certificates.keepAccount(directory, { key: 'k1', url: 'https://authority.test/1' })
      expect(await elsewhere.certificates.account(directory)).toEqual({ key: 'k1', url: 'https://authority.test/1' })
    })

    test('an order is known from when it begins, and what became of it', async () => {
      const { here, elsewhere } = makeBox()
      const first = await here.orders.begin(anOrder('a.acme.dev'))
      const second = await here.orders.begin(anOrder('b.acme.dev', { beganAt: now + 1, isAnnounced: true }))
      await here.orders.end(second, 'refused')
      const expected: KeptOrder[] = [
        { ...anOrder('a.acme.dev'), id: first, outcome: null },
        { ...anOrder('b.acme.dev', { beganAt: now + 1, isAnnounced: true }), id: second, outcome: 'refused' },
      ]
      expect(await elsewhere.orders.since(now - 1)).toEqual(expected)
      expect(await elsewhere.orders.since(now)).toEqual(expected.slice(1))
    })

    test('old orders are forgotten, except the latest', async () => {
      const { here } = makeBox()
      await here.orders.begin(anOrder('a.acme.dev', { beganAt: now - hourMs - 1 }))
      await here.orders.begin(anOrder('b.acme.dev', { beganAt: now }))
      await here.orders.begin(anOrder('c.acme.dev', { beganAt: now - hourMs - 1 }))
      for (let more = 0; more < ordersKeptMin - 1; more++) await here.orders.begin(anOrder('d.acme.dev'))
      await here.orders.tidy(now - hourMs, now)
      const hosts = (await here.orders.since(0)).map(({ host }) => host)
      expect(hosts.filter((host) => host !== 'd.acme.dev')).toEqual(['b.acme.dev', 'c.acme.dev'])
    })

    test('an order of a clock that was ahead begins to age', async () => {
      const { here } = makeBox()
      await here.orders.begin(anOrder('a.acme.dev', { beganAt: now + 1000 * hourMs }))
      await here.orders.tidy(now - hourMs, now)
      expect((await here.orders.since(0)).map(({ beganAt }) => beganAt)).toEqual([now])
    })
  })
}
