import { describe, expect, test } from 'bun:test'
import { FairQueue, type Queued } from '../../../src/https/keeper/fair-queue.ts'
import { lookDelayMs, retryDelayMs } from '../../../src/https/keeper/name-steps.ts'
import { AuthorityClock } from '../../../src/https/keeper/parts.ts'
import { chosenRenewal, plainRenewal } from '../../../src/https/keeper/renewal-windows.ts'
import { directoriesOf, targetOf } from '../../../src/https/keeper/targets.ts'
import { dayMs, hourMs, minuteMs } from './simulated-world.ts'

describe('tries after failures', () => {
  test('follow certmagic’s table', () => {
    const minutes = Array.from({ length: 26 }, (_, at) => (retryDelayMs(at + 1, 0) ?? 0) / minuteMs)
    expect(minutes).toEqual([
      ...[1, 2, 2, 5, 10, 10, 10, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30],
      ...[60, 60, 60, 120, 120, 180, 180, 360, 360],
    ])
  })

  test('end after 30 days', () => {
    expect(retryDelayMs(100, 30 * dayMs - 1)).toBe(6 * hourMs)
    expect(retryDelayMs(100, 30 * dayMs)).toBeNull()
  })

  test('looks never end, and become rarer', () => {
    const delays = [0, 119, 120, 1499, 1500, 100_000].map(lookDelayMs)
    expect(delays).toEqual([30_000, 30_000, minuteMs, minuteMs, 5 * minuteMs, 30 * minuteMs])
  })
})

describe('the instant of a renewal', () => {
  const now = Date.UTC(2026, 10, 20)
  const life = { notBefore: now, notAfter: now + 90 * dayMs }
  const info = { startMs: now + 10 * dayMs, endMs: now + 12 * dayMs, retryAfterMs: hourMs }

  test.each([6, 45, 90, 398])('is at two thirds of a lifetime of %d days where no window is named', (days) => {
    expect(plainRenewal({ notBefore: now, notAfter: now + days * dayMs }, now).renewAt).toBe(
      now + (days * dayMs * 2) / 3,
    )
  })

  test.each([0, 0.5, 0.999])('is drawn from the whole window (%p)', (random) => {
    const { renewAt } = chosenRenewal(life, { info, kept: null, now, random })
    expect(renewAt).toBe(Math.floor(info.startMs + random * 2 * dayMs))
  })

  test('stays while the window does, and is drawn anew for another', () => {
    const kept = chosenRenewal(life, { info, kept: null, now, random: 0.1 })
    expect(chosenRenewal(life, { info, kept, now, random: 0.9 }).renewAt).toBe(kept.renewAt)
    const moved = { ...info, endMs: info.endMs + 1 }
    expect(chosenRenewal(life, { info: moved, kept, now, random: 0.9 }).renewAt).not.toBe(kept.renewAt)
  })

  test('leaves time to try again, whatever the window says', () => {
    const late = { startMs: life.notAfter + dayMs, endMs: life.notAfter + 2 * dayMs, retryAfterMs: hourMs }
    expect(chosenRenewal(life, { info: late, kept: null, now, random: 0.5 }).renewAt).toBe(now + 81 * dayMs)
  })

  test('survives a window that ends before it begins', () => {
    const odd = { startMs: info.endMs, endMs: info.startMs, retryAfterMs: hourMs }
    expect(chosenRenewal(life, { info: odd, kept: null, now, random: 0.5 }).renewAt).toBe(odd.startMs)
  })
})

describe('the queue', () => {
  const pace = { atOnceMax: 4, atOnceOfOneMax: 3, spacingMs: 0 }
  const item = (host: string, accountId: string, priority = 1): Queued => ({ host, accountId, priority })
  const hostsTaken = (queue: FairQueue<Queued>, count: number): string[] =>
    Array.from({ length: count }, () => {
      const taken = queue.take(0)
      if (taken !== null) queue.done(taken.host)
      return taken?.host ?? '-'
    })

  test('gives accounts turns, however many names one has', () => {
    const queue = new FairQueue<Queued>(pace)
    for (let at = 0; at < 100; at++) queue.add(item(`a${at}`, 'a'))
    for (const host of ['b0', 'b1']) queue.add(item(host, 'b'))
    expect(hostsTaken(queue, 5)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2'])
  })

  test('serves the lower number first', () => {
    const queue = new FairQueue<Queued>(pace)
    queue.add(item('retry', 'a', 2))
    queue.add(item('first', 'a', 1))
    queue.add(item('renewal', 'a', 0))
    expect(hostsTaken(queue, 4)).toEqual(['renewal', 'first', 'retry', '-'])
  })

  test('leaves room beside an account whose names hang', () => {
    const queue = new FairQueue<Queued>(pace)
    for (let at = 0; at < 10; at++) queue.add(item(`a${at}`, 'a'))
    expect([queue.take(0), queue.take(0), queue.take(0), queue.take(0)].map((taken) => taken?.host ?? null)).toEqual([
      'a0',
      'a1',
      'a2',
      null,
    ])
    queue.add(item('b0', 'b'))
    expect(queue.take(0)?.host).toBe('b0')
    expect(queue.take(0)).toBeNull()
  })

  test('keeps the time between two beginnings, and loses nothing that may not begin', () => {
    const queue = new FairQueue<Queued>({ ...pace, spacingMs: 2000 })
    queue.add(item('a', 'a'))
    queue.add(item('b', 'b'))
    expect(queue.take(10)?.host).toBe('a')
    expect(queue.take(2009)).toBeNull()
    expect(queue.take(2010)?.host).toBe('b')
  })

  test('passes over what may not begin without a pause', () => {
    const queue = new FairQueue<Queued>({ ...pace, spacingMs: 2000 })
    for (const host of ['a', 'b', 'c']) queue.add(item(host, host))
    expect(queue.take(0, ({ host }) => host === 'c')?.host).toBe('c')
    expect(queue.has('a')).toBe(false)
  })

  test('has a host once, and not again while it is served', () => {
    const queue = new FairQueue<Queued>(pace)
    queue.add(item('a', 'a'))
    queue.add(item('a', 'a'))
    expect(queue.take(0)?.host).toBe('a')
    queue.add(item('a', 'a'))
    expect(queue.take(0)).toBeNull()
    queue.done('a')
    expect(queue.isEmpty).toBe(true)
  })
})

describe('where an order goes', () => {
  const all = { first: 'first', staging: 'staging', fallback: 'fallback' }
  const now = Date.UTC(2026, 10, 20)
  const name = { failures: 0, failingSince: null, isTrial: false }
  const open = { isPaused: () => false, now }

  test('is the first directory, and the one for trials after a failure there', () => {
    expect(targetOf(name, all, open)).toEqual({ directory: 'first', isTrial: false })
    expect(targetOf({ ...name, isTrial: true }, all, open)).toEqual({ directory: 'staging', isTrial: true })
    expect(targetOf({ ...name, isTrial: true }, { ...all, staging: null }, open).directory).toBe('first')
  })

  test('is by turns the second authority after a day', () => {
    const failing = { ...name, isTrial: true, failingSince: now - dayMs }
    expect([5, 6, 7].map((failures) => targetOf({ ...failing, failures }, all, open).directory)).toEqual([
      'fallback',
      'staging',
      'fallback',
    ])
    expect(targetOf({ ...failing, failures: 5, failingSince: now - dayMs + 1 }, all, open).directory).toBe('staging')
  })

  test('is the second authority when the first cannot be asked for a day', () => {
    const isPaused = (directory: string) => directory === 'first'
    expect(targetOf({ ...name, failingSince: now - dayMs }, all, { isPaused, now }).directory).toBe('fallback')
  })

  test('is known by short names, with the directory for trials that belongs to it', () => {
    expect(directoriesOf('letsencrypt', null, 'zerossl')).toEqual({
      first: 'https://acme-v02.api.letsencrypt.org/directory',
      staging: 'https://acme-staging-v02.api.letsencrypt.org/directory',
      fallback: 'https://acme.zerossl.com/v2/DV90',
    })
    expect(directoriesOf('https://ca.acme.dev/dir', null, null)).toEqual({
      first: 'https://ca.acme.dev/dir',
      staging: null,
      fallback: null,
    })
  })
})

describe('the clock of the authority', () => {
  const never = new AbortController().signal

  function aClock({ aheadMs = 0 } = {}) {
    const time = { now: 1_000_000_000_000, monotonicMs: 0, asked: 0 }
    const clock = { now: () => time.now, monotonicMs: () => time.monotonicMs }
    const authorityClock = new AuthorityClock(clock, async () => {
      time.asked++
      return 1_000_000_000_000 + time.monotonicMs - aheadMs
    })
    return { time, off: () => authorityClock.offMs('first', never) }
  }

  test('is asked once while ours runs as it should', async () => {
    const { time, off } = aClock()
    expect([await off(), await off()]).toEqual([0, 0])
    expect(time.asked).toBe(1)
  })

  test('is asked again when ours has jumped, and tells by how much', async () => {
    const { time, off } = aClock()
    await off()
    time.now += dayMs
    expect(await off()).toBe(dayMs)
    time.now -= 3 * dayMs
    expect(await off()).toBe(-2 * dayMs)
  })

  test('may differ by what daylight saving and slow answers come to', async () => {
    expect(await aClock({ aheadMs: hourMs }).off()).toBe(0)
    expect(await aClock({ aheadMs: hourMs + 1 }).off()).toBe(hourMs + 1)
  })
})
