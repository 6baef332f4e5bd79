import { describe, expect, test } from 'bun:test'
import { knownDirectories } from '../../../src/https/acme/authority.ts'
import { dayMs, elsewhere, hourMs, minuteMs, ours, problem, type SeenOrder, SimulatedWorld } from './simulated-world.ts'

// A year of a box at Let's Encrypt, by a clock that is held: what it orders is counted against the authority's limits.

const { url: first, staging } = knownDirectories.letsencrypt
const weekMs = 7 * dayMs

/** A year has many turns; few of them are needed while nothing is due. */
async function passYear(world: SimulatedWorld, each: (day: number) => void): Promise<void> {
  for (let day = 0; day < 365; day++) {
    each(day)
    await world.pass(2 * minuteMs, 5000)
    await world.pass(dayMs - 2 * minuteMs, hourMs)
  }
}

/** The most that fall into one window of this length. */
function most(orders: SeenOrder[], windowMs: number): number {
  const ats = orders.map(({ at }) => at).sort((one, other) => one - other)
  let from = 0
  return ats.reduce((max, at, to) => {
    while ((ats[from] ?? 0) <= at - windowMs) from++
    return Math.max(max, to - from + 1)
  }, 0)
}

const mostBy = (orders: SeenOrder[], windowMs: number, key: (order: SeenOrder) => string): number =>
  Math.max(
    0,
    ...Map.groupBy(orders, key)
      .values()
      .map((group) => most(group, windowMs)),
  )

const registeredDomain = (host: string): string => host.split('.').slice(-2).join('.')

describe.each([
  ['that names no window', null],
  ['that names windows', 0.7],
])('in a year at an authority %s', (_, windowPart) => {
  const world = new SimulatedWorld()
  const failuresSeen: SeenOrder[] = []

  test('no limit of the authority is met, and no certificate runs out', async () => {
    world.directories = { first, staging, fallback: null }
    world.lifetimeMs = 45 * dayMs
    let seed = 7
    world.random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const issuedAt = new Map<string, number>()
    if (windowPart !== null) {
      world.window = (host) => {
        const at = issuedAt.get(host) ?? world.now
        const startMs = at + windowPart * world.lifetimeMs - dayMs
        return { startMs, endMs: startMs + 2 * dayMs, retryAfterMs: 6 * hourMs }
      }
    }
    await world.restart()
    for (let account = 0; account < 6; account++) {
      world.connect(
        Array.from({ length: 12 }, (_, at) => `n${at}.account${account}.dev`),
        `a${account}`,
      )
    }
    // An agency that gives its customers names below its own, more of them than the authority issues in a week.
    world.connect(
      Array.from({ length: 70 }, (_, at) => `c${at}.agency.dev`),
      'agency',
    )
    // Validation of these fails for most of the year.
    world.refusal = ({ host }) => {
      const isBroken = host.includes('account5') && world.now % (40 * dayMs) > 5 * dayMs
      return isBroken ? problem('rejected', 'DNS problem') : null
    }
    await passYear(world, (day) => {
      for (const { host } of world.issued.splice(0)) issuedAt.set(host, world.now)
      const roaming = (ofDay: number) => world.names[(ofDay + world.names.length) % world.names.length]?.host ?? ''
      world.looks.set(roaming(day), elsewhere)
      world.looks.set(roaming(day - 3), ours)
    })
    const atFirst = world.ordersAt(first)
    failuresSeen.push(...atFirst.filter(({ isIssued }) => !isIssued))
    const counted = atFirst.filter(({ replaces }) => replaces === null)
    const issued = counted.filter(({ isIssued }) => isIssued)
    expect(most(counted, 3 * hourMs)).toBeLessThanOrEqual(300)
    expect(mostBy(issued, weekMs, ({ host }) => registeredDomain(host))).toBeLessThanOrEqual(50)
    expect(mostBy(issued, weekMs, ({ host }) => host)).toBeLessThanOrEqual(5)
    expect(mostBy(failuresSeen, hourMs, ({ host }) => host)).toBeLessThanOrEqual(5)
    const healthy = (await world.stores.certificates.names()).filter(({ host }) => host.includes('account1'))
    expect(healthy.every(({ certificate }) => (certificate?.notAfter ?? 0) > world.now)).toBe(true)
  })
})
