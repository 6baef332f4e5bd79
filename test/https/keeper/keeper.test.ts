import { describe, expect, test } from 'bun:test'
import {
  dayMs,
  elsewhere,
  fallback,
  first,
  hourMs,
  minuteMs,
  ours,
  problem,
  SimulatedWorld,
  staging,
} from './simulated-world.ts'

const host = 'go.acme.dev'

function aWorld(hosts = [host]): SimulatedWorld {
  const world = new SimulatedWorld()
  world.connect(hosts)
  return world
}

describe('a connected name', () => {
  test('has a certificate within seconds, and one order was made', async () => {
    const world = aWorld()
    await world.pass(10_000)
    expect(await world.name(host)).toMatchObject({ state: 'active', reason: '', nextTryAt: null })
    expect(world.orders).toHaveLength(1)
    expect(world.issued).toEqual([{ host, isRenewal: false }])
  })

  test('that is not public is off, and nobody looks at it or asks for it', async () => {
    const world = aWorld(['go.acme.test'])
    await world.pass(minuteMs)
    expect(await world.name('go.acme.test')).toMatchObject({ state: 'off', certificate: null, nextTryAt: null })
    expect(world.looked).toEqual([])
    expect(world.orders).toEqual([])
  })

  test('that leads elsewhere waits with the reason and the next try, and the authority is not asked', async () => {
    const world = aWorld()
    world.looks.set(host, elsewhere)
    await world.pass(10_000)
    const name = await world.name(host)
    expect(name).toMatchObject({ state: 'waiting', reason: 'It leads elsewhere.', observed: elsewhere.observed })
    expect(name.nextTryAt).toBeGreaterThan(world.now)
    expect(world.orders).toEqual([])
  })

  test('is ordered within a minute once its DNS has been mended, in the first hours', async () => {
    const world = aWorld()
    world.looks.set(host, elsewhere)
    await world.pass(3 * hourMs, 5000)
    world.looks.set(host, ours)
    await world.pass(minuteMs + 10_000, 5000)
    expect(await world.name(host)).toMatchObject({ state: 'active' })
  })

  test('is looked at ever less often while nothing changes', async () => {
    const world = aWorld()
    world.looks.set(host, elsewhere)
    const looksIn = async (ms: number) => {
      const before = world.looked.length
      await world.pass(ms, 10_000)
      return world.looked.length - before
    }
    expect(await looksIn(hourMs)).toBeWithin(100, 130)
    await looksIn(9 * dayMs)
    expect(await looksIn(dayMs)).toBeWithin(40, 60)
  })
})

describe('a refused order', () => {
  test('leaves the name failing with the words of the authority', async () => {
    const world = aWorld()
    world.refusal = () => problem('rejected', '203.0.113.7: Invalid response: 404')
    await world.pass(10_000)
    const name = await world.name(host)
    expect(name).toMatchObject({ state: 'failing', failures: 1, certificate: null })
    expect(name.reason).toBe('The certificate authority first.test says: 203.0.113.7: Invalid response: 404.')
    expect(name.nextTryAt).toBeGreaterThan(world.now)
  })

  test('is followed by trials at staging, and by the next real one once a trial has worked', async () => {
    const world = aWorld()
    world.directories = { first, staging, fallback: null }
    await world.restart()
    let isMended = false
    world.refusal = () => (isMended ? null : problem('rejected'))
    await world.pass(10 * minuteMs)
    expect(world.ordersAt(first)).toHaveLength(1)
    expect(world.ordersAt(staging).length).toBeGreaterThan(1)
    isMended = true
    await world.pass(10 * minuteMs)
    expect(world.ordersAt(first).map(({ isIssued }) => isIssued)).toEqual([false, true])
    expect(world.ordersAt(staging).at(-1)?.isIssued).toBe(true)
    const name = await world.name(host)
    expect(name).toMatchObject({ state: 'active', failures: 0, failingSince: null, isTrial: false })
    expect(name.certificate?.directory).toBe(first)
  })

  test('is tried again by the table, within what an authority allows of failures in an hour', async () => {
    const world = aWorld()
    world.refusal = () => problem('rejected')
    await world.pass(5 * hourMs, 10_000)
    const ats = world.orders.map(({ at }) => at)
    for (const at of ats) expect(ats.filter((other) => other >= at && other < at + hourMs).length).toBeLessThan(5)
    expect(ats.length).toBeWithin(10, 21)
  })

  test('is tried again soon when the DNS of the name changes', async () => {
    const world = aWorld()
    world.refusal = () => problem('rejected')
    await world.pass(9 * hourMs, 10_000)
    const before = world.orders.length
    world.refusal = () => null
    world.looks.set(host, { ...ours, observed: { ...ours.observed, a: ['203.0.113.8'] } })
    await world.pass(10 * minuteMs, 10_000)
    expect(world.orders.length).toBe(before + 1)
    expect(await world.name(host)).toMatchObject({ state: 'active' })
  })

  test('with a time to wait is heeded', async () => {
    const world = aWorld()
    world.refusal = () => problem('rateLimited', 'too many', 50 * hourMs)
    await world.pass(49 * hourMs, minuteMs)
    expect(world.orders).toHaveLength(1)
    expect(await world.name(host)).toMatchObject({ state: 'waiting' })
    await world.pass(2 * hourMs, minuteMs)
    expect(world.orders).toHaveLength(2)
  })

  test('with a time to wait holds back the other names of the account, and nobody else’s', async () => {
    const world = aWorld(['one.acme.dev', 'two.acme.dev'])
    world.refusal = (order) => (order.host === 'one.acme.dev' ? problem('rateLimited', 'too many', 50 * hourMs) : null)
    await world.pass(1000)
    world.connect(['three.acme.dev'])
    world.connect(['go.other.dev'], 'a2')
    await world.pass(49 * hourMs, minuteMs)
    expect(world.orders.filter(({ isIssued }) => isIssued).map(({ host }) => host)).toEqual(['go.other.dev'])
    expect(await world.name('three.acme.dev')).toMatchObject({ state: 'waiting', failures: 0 })
    world.refusal = () => null
    await world.pass(2 * hourMs, minuteMs)
    expect(await world.states()).toEqual({ active: 4 })
  })

  test('goes on for 30 days and then stops, until the DNS changes', async () => {
    const world = aWorld()
    world.refusal = () => problem('rejected')
    await world.pass(32 * dayMs, 5 * minuteMs)
    const name = await world.name(host)
    expect(name).toMatchObject({ state: 'failing', nextTryAt: null })
    expect(name.reason).toContain(`capture domain check ${host} --now`)
    const before = world.orders.length
    await world.pass(dayMs, 5 * minuteMs)
    expect(world.orders.length).toBe(before)
    world.refusal = () => null
    world.looks.set(host, { ...ours, observed: { ...ours.observed, a: ['203.0.113.8'] } })
    await world.pass(hourMs, 5 * minuteMs)
    expect(await world.name(host)).toMatchObject({ state: 'active' })
  })

  test('goes to the second authority after a day of failures', async () => {
    const world = aWorld()
    world.directories = { first, staging: null, fallback }
    await world.restart()
    world.refusal = ({ directory }) => (directory === first ? problem('refused') : null)
    await world.pass(23 * hourMs, minuteMs)
    expect(world.ordersAt(fallback)).toEqual([])
    await world.pass(10 * hourMs, minuteMs)
    expect((await world.name(host)).certificate?.directory).toBe(fallback)
  })
})

describe('an authority that cannot be reached', () => {
  test('is asked by few of many names, and told of in one line', async () => {
    const hosts = Array.from({ length: 50 }, (_, at) => `n${at}.acme.dev`)
    const world = aWorld(hosts)
    world.refusal = () => problem('unreachable', 'first.test: the connection was refused')
    await world.pass(hourMs)
    expect(world.orders.length).toBeLessThan(30)
    expect(world.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
    expect(world.lines[0]?.message).toStartWith(
      'The certificate authority first.test cannot be reached: first.test: the',
    )
    expect(await world.states()).toEqual({ waiting: 50 })
  })

  test('and is back again leaves every name with a certificate', async () => {
    const world = aWorld(Array.from({ length: 10 }, (_, at) => `n${at}.acme.dev`))
    world.refusal = () => problem('unreachable')
    await world.pass(30 * minuteMs)
    world.refusal = () => null
    await world.pass(30 * minuteMs)
    expect(await world.states()).toEqual({ active: 10 })
  })
})

describe('a certificate', () => {
  test('is renewed after two thirds of its life where the authority names no window', async () => {
    const world = aWorld()
    await world.pass(59 * dayMs, hourMs)
    expect(world.orders).toHaveLength(1)
    await world.pass(2 * dayMs, hourMs)
    expect(world.orders).toHaveLength(2)
    expect(world.issued.at(-1)).toEqual({ host, isRenewal: true })
  })

  test('is renewed at an instant of the window that is kept while the window stays', async () => {
    const world = aWorld()
    const [startMs, endMs] = [world.now + 20 * dayMs, world.now + 22 * dayMs]
    world.window = () => ({ startMs, endMs, retryAfterMs: 6 * hourMs })
    const draws = [0.25, 0.9, 0.1, 0.7]
    world.random = () => draws.shift() ?? 0
    await world.restart()
    await world.pass(10 * dayMs, hourMs)
    const renewAt = startMs + 0.25 * (endMs - startMs)
    expect((await world.name(host)).certificate).toMatchObject({ renewAt, renewal: { window: { startMs, endMs } } })
    await world.pass(12 * dayMs, hourMs)
    expect(world.orders.map(({ at }) => at)[1]).toBeWithin(renewAt, renewAt + 2 * hourMs)
  })

  test('is renewed at once when the authority moves its window into the past', async () => {
    const world = aWorld()
    let [startMs, endMs] = [world.now + 60 * dayMs, world.now + 62 * dayMs]
    world.window = () => ({ startMs, endMs, retryAfterMs: 6 * hourMs })
    await world.restart()
    await world.pass(dayMs, hourMs)
    ;[startMs, endMs] = [world.now - 2 * dayMs, world.now - dayMs]
    await world.pass(7 * hourMs, hourMs)
    expect(world.orders.length).toBeGreaterThan(1)
  })

  test('whose renewal is hindered stays in use, and the name says why', async () => {
    const world = aWorld()
    await world.pass(minuteMs)
    world.looks.set(host, elsewhere)
    await world.pass(61 * dayMs, hourMs)
    const name = await world.name(host)
    expect(name).toMatchObject({ state: 'waiting', reason: 'It leads elsewhere.' })
    expect(name.certificate).not.toBeNull()
    expect(world.orders).toHaveLength(1)
  })

  test('that came broken is not kept, and the name is failing', async () => {
    const world = aWorld()
    world.lifetimeMs = -hourMs
    await world.pass(10_000)
    const name = await world.name(host)
    expect(name).toMatchObject({ state: 'failing', certificate: null })
    expect(name.reason).toContain('cannot be used: the certificate expired at')
    expect(await world.stores.certificates.read(host)).toBeNull()
  })
})

test('a certificate for trials is replaced once another directory is configured', async () => {
  const world = aWorld()
  const forTrials = 'https://acme-staging-v02.api.letsencrypt.org/directory'
  world.directories = { first: forTrials, staging: null, fallback: null }
  await world.restart()
  await world.pass(minuteMs)
  expect(world.ordersAt(forTrials)).toHaveLength(1)
  world.directories = { first, staging: forTrials, fallback: null }
  await world.restart()
  await world.pass(minuteMs)
  expect(world.ordersAt(first)).toHaveLength(1)
  expect((await world.name(host)).certificate?.directory).toBe(first)
  await world.pass(dayMs, hourMs)
  expect(world.orders).toHaveLength(2)
})

test('a store that cannot be written is told of once, and the world is not looked at all the time', async () => {
  const world = aWorld(['a.acme.dev', 'b.acme.dev'])
  await world.turn()
  await world.restart()
  world.stores.certificates.keepNames = () => Promise.reject(new Error('database or disk is full'))
  world.stores.orders.begin = () => Promise.reject(new Error('database or disk is full'))
  const before = world.looked.length
  await world.pass(minuteMs)
  expect(world.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  expect(world.looked.length - before).toBeLessThan(30)
})

describe('a restart', () => {
  test('orders nothing that is still good', async () => {
    const world = aWorld()
    await world.pass(minuteMs)
    for (let restarts = 0; restarts < 5; restarts++) {
      await world.restart()
      await world.pass(minuteMs)
    }
    expect(world.orders).toHaveLength(1)
  })

  test('in the middle of an order goes on with one more', async () => {
    const world = aWorld()
    world.orderMs = () => new Promise(() => {})
    await world.turn()
    await Bun.sleep(0)
    world.now += 2000
    world.monotonicMs += 2000
    await world.turn()
    world.orderMs = async () => {}
    await world.restart()
    await world.pass(minuteMs)
    expect(world.orders).toHaveLength(1)
    expect(await world.name(host)).toMatchObject({ state: 'active' })
  })

  test('does not make the tries of a failing name any denser', async () => {
    const world = aWorld()
    world.refusal = () => problem('rejected')
    for (let restarts = 0; restarts < 30; restarts++) {
      await world.restart()
      await world.pass(2 * minuteMs, 10_000)
    }
    expect(world.orders.length).toBeLessThan(6)
  })

  test('says nothing again of names that fare as before', async () => {
    const world = aWorld()
    await world.pass(minuteMs)
    const lines = world.lines.length
    await world.restart()
    await world.pass(minuteMs)
    expect(world.lines.length).toBe(lines)
  })
})

describe('a clock that jumps', () => {
  test('a hundred days ahead orders nothing, and says so once', async () => {
    const world = aWorld(['a.acme.dev', 'b.acme.dev'])
    await world.pass(minuteMs)
    world.now += 100 * dayMs
    world.authorityAheadMs = -100 * dayMs
    await world.pass(2 * hourMs, 10_000)
    expect(world.orders).toHaveLength(2)
    const clockLines = world.lines.filter(({ message }) => message.includes("machine's clock is 100 days ahead"))
    expect(clockLines).toHaveLength(1)
    world.now -= 100 * dayMs
    world.authorityAheadMs = 0
    await world.pass(hourMs, 10_000)
    expect(world.orders).toHaveLength(2)
    expect(await world.states()).toEqual({ active: 2 })
  })

  test('a hundred days back orders nothing, also over a restart', async () => {
    const world = aWorld()
    await world.pass(minuteMs)
    world.now -= 100 * dayMs
    world.authorityAheadMs = 100 * dayMs
    await world.restart()
    await world.pass(2 * hourMs, 10_000)
    expect(world.orders).toHaveLength(1)
  })

  test('a year ahead and back does not make a waiting name wait for a year', async () => {
    const world = aWorld()
    world.now += 365 * dayMs
    world.looks.set(host, elsewhere)
    await world.pass(minuteMs)
    world.now -= 365 * dayMs
    world.looks.set(host, ours)
    await world.pass(2 * minuteMs)
    expect(await world.name(host)).toMatchObject({ state: 'active' })
  })
})

describe('a name that is removed', () => {
  test('is left alone, and its certificate is there for seven days more', async () => {
    const world = aWorld()
    await world.pass(minuteMs)
    world.names = []
    await world.pass(6 * dayMs, hourMs)
    expect(await world.stores.certificates.read(host)).not.toBeNull()
    world.connect([host])
    await world.pass(minuteMs)
    expect(await world.name(host)).toMatchObject({ state: 'active', removedAt: null })
    expect(world.orders).toHaveLength(1)
  })

  test('is erased after that, key and all', async () => {
    const world = aWorld()
    await world.pass(minuteMs)
    world.names = []
    await world.pass(7 * dayMs + 3 * hourMs, hourMs)
    expect(await world.stores.certificates.names()).toEqual([])
    expect(await world.stores.certificates.read(host)).toBeNull()
  })
})

describe('many names', () => {
  test('are told of in few lines', async () => {
    const hosts = Array.from({ length: 300 }, (_, at) => `n${at}.acme.dev`)
    const world = aWorld(hosts)
    for (const name of hosts) world.looks.set(name, elsewhere)
    await world.pass(10 * minuteMs, 5000)
    expect(world.lines.length).toBeLessThan(5)
    expect(world.lines[0]?.message).toMatch(/^\d+ names wait for certificates: n0\.acme\.dev, /)
  })

  test('come up one in two seconds', async () => {
    const world = aWorld(Array.from({ length: 200 }, (_, at) => `n${at}.acme${at}.dev`))
    await world.pass(7 * minuteMs)
    expect(await world.states()).toEqual({ active: 200 })
    const ats = world.orders.map(({ at }) => at)
    expect(ats.every((at, index) => index === 0 || at - (ats[index - 1] ?? 0) >= 2000)).toBe(true)
  })

  test('two hundred broken ones of an account delay no other account’s', async () => {
    const broken = Array.from({ length: 200 }, (_, at) => `n${at}.broken${at}.dev`)
    const world = aWorld(broken)
    world.refusal = ({ host }) => (host.includes('broken') ? problem('rejected') : null)
    await world.pass(5 * hourMs, 2000)
    world.connect(['late.other.dev'], 'a2')
    await world.pass(20_000)
    expect(await world.name('late.other.dev')).toMatchObject({ state: 'active' })
  })
})
