// When retention runs, and what it waits for (docs/privacy.md): the same for any storage.
import { expect, test } from 'bun:test'
import { OperatorsGuard } from '../../../src/processing/forgetting/retention-guard.ts'
import { RetentionSteps } from '../../../src/processing/forgetting/retention-steps.ts'
import type { RetainedAccount } from '../../../src/processing/forgetting/retention-store.ts'
import type { RetentionNotice } from '../../../src/processing/retention.ts'
import { ARetentionStore } from './a-retention-store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const begin = Date.UTC(2026, 10, 22)
const stepsMax = 10_000
const second = 2 as RetainedAccount

/** A service with one account; time stands still until a test moves it. */
function service({ keptMax }: { keptMax?: number } = {}) {
  const clock = { at: begin, ms: 0, now: () => clock.at, monotonicMs: () => clock.ms }
  const told: RetentionNotice[] = []
  const store = new ARetentionStore()
  const guard = new OperatorsGuard(clock, (notice) => told.push(notice))
  const steps = new RetentionSteps(clock, { guard, ...(keptMax !== undefined && { keptMax }) })
  const rest = () => {
    for (let step = 0; steps.run(store, 1) === 'more'; step++) if (step > stepsMax) throw new Error('it never ends')
  }
  return { clock, told, store, steps, rest }
}

const views = (count: number, daysAgo: number) =>
  Array.from({ length: count }, () => ({ class: 'events' as const, receivedAt: begin - daysAgo * dayMs }))
const refused = (count: number) =>
  Array.from({ length: count }, () => ({ class: 'refused' as const, receivedAt: begin }))

test('what has expired goes at the start, is told once, and the next sweep comes an hour later', () => {
  const { clock, store, told, rest } = service()
  store.add(1, ...views(3, 20), ...views(5, 1))
  rest()
  expect(store.count(1)).toBe(5)
  expect(told).toEqual([{ deleted: { submissions: 0, events: 3, refused: 0 } }])
  store.add(1, ...views(1, 20))
  clock.ms = hourMs - 1
  rest()
  expect(store.count(1)).toBe(6)
  clock.ms = hourMs
  rest()
  expect(store.count(1)).toBe(5)
})

test('most of an account waits for the operator, who is told once and whose word holds for one pass', () => {
  const { clock, store, told, rest } = service()
  store.add(1, ...views(12, 20), ...views(3, 1))
  rest()
  clock.ms = hourMs
  rest()
  expect(store.count(1)).toBe(15)
  expect(told).toEqual([
    {
      waits: {
        account: 'account-1',
        class: 'events',
        due: 12,
        kept: 3,
        also: { submissions: 0, events: 0, refused: 0 },
      },
    },
  ])
  store.allow(1)
  rest()
  expect(store.count(1)).toBe(3)
  store.add(1, ...views(12, 200))
  clock.ms = 2 * hourMs
  rest()
  expect(store.count(1)).toBe(15)
})

test('what time has made due since the last pass needs no permission', () => {
  const { clock, store, rest } = service()
  store.add(1, ...views(20, 5))
  rest()
  clock.at += 6 * dayMs
  clock.ms += 6 * dayMs
  store.clock = { at: clock.at, bootId: null, uptimeMs: null }
  rest()
  expect(store.count(1)).toBe(0)
})

test('one account that waits holds up no other', () => {
  const { store, rest } = service()
  store.add(1, ...views(12, 20))
  store.add(2, ...views(2, 20))
  rest()
  expect([store.count(1), store.count(2)]).toEqual([12, 0])
})

test('a doubted clock deletes nothing by age, but refused submissions keep their limit', () => {
  const { store, told, rest } = service({ keptMax: 4 })
  store.clock = { at: begin - 40 * dayMs, bootId: null, uptimeMs: null }
  store.add(1, ...views(3, 20), ...refused(9))
  rest()
  expect(store.count(1)).toBe(3 + 4)
  expect(told[0]).toMatchObject({ clockDoubted: { now: begin } })
})

test('while records wait, only what had expired when the oldest of them was received goes', () => {
  const { store, rest } = service()
  store.add(1, ...views(1, 20), ...views(1, 12))
  store.waitingAt = begin - 5 * dayMs
  rest()
  expect(store.count(1)).toBe(1)
})

test('between sweeps, accounts that refused anything are held to the limit after thousands of records', () => {
  const { store, rest } = service({ keptMax: 100 })
  store.add(1, ...refused(10))
  rest()
  store.add(1, ...refused(1989))
  rest()
  expect(store.count(1)).toBe(1999)
  store.add(1, ...refused(11))
  rest()
  expect(store.count(1)).toBe(100)
  expect(store.searched).toHaveLength(2)
})

test('a sweep goes on over another connection with the account that it had come to', () => {
  const { store, steps } = service()
  store.add(1, ...views(2, 20))
  store.add(2, ...views(2, 20))
  for (let step = 0; !store.searched.includes(second); step++) {
    if (step > stepsMax) throw new Error('it never comes to the second account')
    steps.run(store, 0)
  }
  store.searched.length = 0
  const anew = Object.create(store) as ARetentionStore
  for (let step = 0; steps.run(anew, 0) === 'more'; step++) if (step > stepsMax) throw new Error('it never ends')
  expect([store.count(1), store.count(2)]).toEqual([0, 0])
  expect(new Set(store.searched)).toEqual(new Set([second]))
})

test('two hours without an end make it overdue, and an end takes that back', () => {
  const { clock, steps, rest } = service()
  expect(steps.isOverdue()).toBe(false)
  clock.ms = 2 * hourMs
  expect(steps.isOverdue()).toBe(true)
  rest()
  expect(steps.isOverdue()).toBe(false)
})
