import { describe, expect, test } from 'bun:test'
import { knownDirectories } from '../../../src/https/acme/authority.ts'
import type { KeptOrder, OrderOutcome } from '../../../src/https/certificate-store.ts'
import { type BudgetView, orderFreeAt, orderLimits, type Wanted } from '../../../src/https/keeper/order-budget.ts'
import { dayMs, hourMs, minuteMs } from './simulated-world.ts'

const directory = knownDirectories.letsencrypt.url
const staging = knownDirectories.letsencrypt.staging
const now = Date.UTC(2026, 10, 20)

const wanted = (overrides: Partial<Wanted> = {}): Wanted => ({
  host: 'go.acme.dev',
  accountId: 'a1',
  registeredDomain: 'acme.dev',
  directory,
  isAnnounced: false,
  ...overrides,
})

const done = (agoMs: number, outcome: OrderOutcome | null, overrides: Partial<Wanted> = {}): KeptOrder => ({
  ...wanted(overrides),
  id: 1,
  beganAt: now - agoMs,
  outcome,
})

const view = (orders: KeptOrder[], overrides: Partial<BudgetView> = {}): BudgetView => ({
  orders,
  names: [{ accountId: 'a1', registeredDomain: 'acme.dev' }],
  staging,
  now,
  ...overrides,
})

const many = (count: number, make: (at: number) => KeptOrder): KeptOrder[] =>
  Array.from({ length: count }, (_, at) => make(at))

describe('an order may begin', () => {
  test('at once when there was none', () => {
    expect(orderFreeAt(wanted(), view([]))).toBe(now)
  })

  test('an hour after the first of four failures of its name', () => {
    const orders = many(4, (at) => done((50 - at * 10) * minuteMs, 'refused'))
    expect(orderFreeAt(wanted(), view(orders))).toBe(now + 10 * minuteMs)
    expect(orderFreeAt(wanted({ host: 'other.acme.dev' }), view(orders))).toBe(now)
  })

  test('seven days after the first of four certificates of its name, but not if it was announced', () => {
    const orders = many(4, (at) => done((6 - at) * dayMs, 'issued'))
    expect(orderFreeAt(wanted(), view(orders))).toBe(now + dayMs)
    expect(orderFreeAt(wanted({ isAnnounced: true }), view(orders))).toBe(now)
  })

  test('whatever the authority did not issue of it', () => {
    const orders = many(10, (at) => done(2 * hourMs + at, 'unanswered'))
    expect(orderFreeAt(wanted(), view(orders))).toBe(now)
  })

  test('seven days after the first of 45 certificates of its registered domain', () => {
    const orders = many(45, (at) => done(3 * dayMs - at, 'issued', { host: `n${at}.acme.dev` }))
    expect(orderFreeAt(wanted(), view(orders))).toBe(now + 4 * dayMs)
    expect(orderFreeAt(wanted({ registeredDomain: 'other.dev' }), view(orders))).toBe(now)
  })

  test('at an authority of one’s own, whatever its registered domain has', () => {
    const own = { directory: 'https://ca.acme.dev/dir' }
    const orders = many(45, (at) => done(3 * dayMs - at, 'issued', { host: `n${at}.acme.dev`, ...own }))
    expect(orderFreeAt(wanted(own), view(orders))).toBe(now)
  })

  test('at the directory for trials, whatever was issued there', () => {
    const orders = many(10, (at) => done(dayMs + at, 'issued', { directory: staging }))
    expect(orderFreeAt(wanted({ directory: staging }), view(orders))).toBe(now)
  })
})

describe('of the orders of the box in three hours', () => {
  const ofAccount = (accountId: string, count: number): KeptOrder[] =>
    many(count, (at) => done(hourMs + at, 'refused', { accountId, host: `${accountId}-${at}.dev` }))

  test('a part is kept for an account that is new', () => {
    const most = orderLimits.ofBox.max - orderLimits.ofBox.forNewcomers
    expect(orderFreeAt(wanted(), view(ofAccount('a1', most - 1)))).toBe(now)
    expect(orderFreeAt(wanted(), view(ofAccount('a1', most)))).toBeGreaterThan(now)
    expect(orderFreeAt(wanted({ accountId: 'a2' }), view(ofAccount('a1', most)))).toBe(now)
  })

  test('what other accounts may need is kept for them', () => {
    const names = Array.from({ length: 60 }, (_, at) => ({ accountId: 'a2', registeredDomain: `n${at}.dev` }))
    const both = { names: [...names, { accountId: 'a1', registeredDomain: 'acme.dev' }] }
    const used = many(120, (at) => done(hourMs + at, 'refused', { host: `a1-${at}.dev` }))
    // 83 are the part of each of two and a newcomer; 83 and 50 are kept for the others.
    expect(orderFreeAt(wanted(), view(used.slice(0, 83), both))).toBe(now)
    expect(orderFreeAt(wanted(), view(used, both))).toBeGreaterThan(now)
    expect(orderFreeAt(wanted({ accountId: 'a2' }), view(used, both))).toBe(now)
  })

  test('no more than all of them are begun', () => {
    const orders = [...ofAccount('a1', 150), ...ofAccount('a2', 100)]
    expect(orderFreeAt(wanted({ accountId: 'a3' }), view(orders))).toBeGreaterThan(now)
  })
})
