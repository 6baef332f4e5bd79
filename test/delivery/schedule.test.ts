import { describe, expect, test } from 'bun:test'
import { isGivenUp } from '../../src/delivery/delivery-control.ts'
import { type DestinationKey, mailDueAt, nextAttemptAt, type ReadyDestination } from '../../src/delivery/outbox.ts'
import { Slots } from '../../src/delivery/slots.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

describe('the next attempt', () => {
  const after = (attempts: number, random = 0.5, retryAfter: number | null = null) =>
    nextAttemptAt({ attempts, random, retryAfterMs: retryAfter, now: 0 })

  test('comes after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then never', () => {
    const waits = [5000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs, null]
    expect(waits.map((_, index) => after(index + 1))).toEqual(waits)
  })

  test('is 20 % earlier or later by chance', () => {
    expect([after(1, 0), after(1, 1)]).toEqual([4000, 6000])
  })

  test('waits as long as the receiver asks, up to an hour', () => {
    expect([after(1, 0.5, 60_000), after(1, 0.5, dayMs), after(4, 0.5, 1000)]).toEqual([60_000, hourMs, 2 * hourMs])
  })
})

test('a destination is given up after five days and ten tries of nothing but failure', () => {
  expect(isGivenUp({ since: 0, failures: 10 }, 5 * dayMs)).toBe(true)
  expect(isGivenUp({ since: 0, failures: 9 }, 6 * dayMs)).toBe(false)
  expect(isGivenUp({ since: 0, failures: 50 }, 4 * dayMs)).toBe(false)
  expect(isGivenUp({ since: null, failures: 0 }, 6 * dayMs)).toBe(false)
})

test('a mail goes at once, and the next five minutes later; a clock that went back holds nothing', () => {
  expect([mailDueAt(null, 7), mailDueAt(0, 1000), mailDueAt(0, 600_000), mailDueAt(900_000, 7)]).toEqual([
    7, 300_000, 600_000, 7,
  ])
})

describe('slots', () => {
  const destination = (key: number, accountId: string, isFailing = false, isMail = false): ReadyDestination => ({
    key: key as DestinationKey,
    accountId,
    isFailing,
    isMail,
  })

  /** Takes as many as there is room for; answers which. */
  function filled(ready: ReadyDestination[], slots = new Slots()): ReadyDestination[] {
    const taken: ReadyDestination[] = []
    for (let next = slots.next(ready); next !== null; next = slots.next(ready)) {
      slots.take(next)
      taken.push(next)
    }
    return taken
  }

  const keysOf = (taken: ReadyDestination[]): number[] => taken.map(({ key }) => key).sort()

  test('are at most 64, of an account 16, of a destination 4', () => {
    const ready = Array.from({ length: 60 }, (_, key) => destination(key, `account-${key % 6}`))
    const taken = filled(ready)
    expect(taken).toHaveLength(64)
    const one = filled(ready.filter(({ accountId }) => accountId === 'account-0'))
    expect(one).toHaveLength(16)
    expect(filled([destination(1, 'a')])).toHaveLength(4)
  })

  test('go to accounts by turns, however many destinations one has', () => {
    const ready = [...Array.from({ length: 50 }, (_, key) => destination(key, 'many')), destination(99, 'one')]
    expect(
      filled(ready)
        .slice(0, 2)
        .map(({ accountId }) => accountId),
    ).toEqual(['many', 'one'])
  })

  test('of a destination that fails are one', () => {
    expect(keysOf(filled([destination(1, 'a', true), destination(2, 'a')]))).toEqual([1, 2, 2, 2, 2])
  })

  test('of mail are 16, since one server takes it for all accounts', () => {
    const mails = Array.from({ length: 60 }, (_, key) => destination(key, `account-${key}`, false, true))
    const hooks = Array.from({ length: 20 }, (_, key) => destination(100 + key, `account-${100 + key}`))
    const slots = new Slots()
    const taken = filled([...mails, ...hooks], slots)
    expect(taken.filter(({ isMail }) => isMail)).toHaveLength(16)
    expect(taken).toHaveLength(64)
    for (const each of taken) slots.release(each)
    expect(filled(mails, slots)).toHaveLength(16)
  })

  test('are free again once they are given back', () => {
    const slots = new Slots()
    const ready = [destination(1, 'a')]
    const taken = filled(ready, slots)
    expect(slots.next(ready)).toBeNull()
    for (const each of taken) slots.release(each)
    slots.forgetIdle()
    expect(filled(ready, slots)).toHaveLength(4)
  })
})
