import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Budget, BudgetStore } from '../../src/capture/budget-store.ts'
import type { Clock } from '../../src/lib/clock.ts'

/** A clock that stands still until it is moved. */
export class HeldClock implements Clock {
  constructor(private elapsedMs = 0) {}

  now(): number {
    return this.elapsedMs
  }

  monotonicMs(): number {
    return this.elapsedMs
  }

  /** Negative: the clock steps back. */
  advance(ms: number): void {
    this.elapsedMs += ms
  }
}

const budget = (overrides: Partial<Budget> = {}): Budget => ({
  key: 'form contact1 203.0.113.9',
  tokensMax: 30,
  windowSeconds: 60,
  ...overrides,
})

async function taken(store: BudgetStore, budgets: Budget[], timesMax: number): Promise<number> {
  for (let times = 0; times < timesMax; times++) if ((await store.take(budgets)) > 0) return times
  return timesMax
}

interface OpenedStores {
  /** A new, empty store that goes by the clock. */
  open: (clock: Clock) => Promise<BudgetStore>
  /** Of each property: a store in another process takes longer. */
  runsMax?: number
}

/** What the port promises, for every implementation. */
export function budgetStoreContract(name: string, { open, runsMax = 200 }: OpenedStores): void {
  describe(name, () => {
    for (const tokensMax of [1, 7, 30, 300, 9999]) {
      test(`a budget of ${tokensMax} can be taken ${tokensMax} times at once`, async () => {
        const store = await open(new HeldClock(1e10 / 3))
        expect(await taken(store, [budget({ tokensMax })], tokensMax + 1)).toBe(tokensMax)
      })
    }

    test('one token comes back after its even share of the window, not before', async () => {
      const clock = new HeldClock()
      const store = await open(clock)
      await taken(store, [budget()], 30)
      clock.advance(1999)
      expect(await taken(store, [budget()], 2)).toBe(0)
      clock.advance(1)
      expect(await taken(store, [budget()], 2)).toBe(1)
    })

    test('half a window gives half the budget back', async () => {
      const clock = new HeldClock()
      const store = await open(clock)
      await taken(store, [budget()], 30)
      clock.advance(30_000)
      expect(await taken(store, [budget()], 30)).toBe(15)
    })

    test('a bucket never holds more than its budget', async () => {
      const clock = new HeldClock()
      const store = await open(clock)
      await store.take([budget()])
      clock.advance(1e9)
      expect(await taken(store, [budget()], 100)).toBe(30)
    })

    test('refusals take nothing', async () => {
      const clock = new HeldClock()
      const store = await open(clock)
      await taken(store, [budget()], 30)
      for (let i = 0; i < 100; i++) await store.take([budget()])
      clock.advance(2000)
      expect(await store.take([budget()])).toBe(0)
    })

    test('when the second budget is empty, the first is not taken from', async () => {
      const store = await open(new HeldClock())
      const perOrigin = budget({ key: 'origin', tokensMax: 1 })
      await store.take([perOrigin])
      expect(await store.take([budget(), perOrigin])).toBe(60)
      expect(await taken(store, [budget()], 31)).toBe(30)
    })

    test('when the first budget is empty, the second is not taken from', async () => {
      const store = await open(new HeldClock())
      const perOrigin = budget({ key: 'origin', tokensMax: 1 })
      await taken(store, [budget()], 30)
      await store.take([budget(), perOrigin])
      expect(await store.take([perOrigin])).toBe(0)
    })

    test('of two empty budgets the later one says when', async () => {
      const store = await open(new HeldClock())
      const slow = budget({ key: 'slow', tokensMax: 1, windowSeconds: 600 })
      await taken(store, [budget()], 30)
      await store.take([slow])
      expect(await store.take([budget(), slow])).toBe(600)
    })

    test('keys that differ in one character are independent', async () => {
      const store = await open(new HeldClock())
      await taken(store, [budget()], 30)
      expect(await store.take([budget({ key: `${budget().key}0` })])).toBe(0)
    })

    test('no budgets are never exhausted', async () => {
      const store = await open(new HeldClock())
      expect(await store.take([])).toBe(0)
    })

    test('two takes at once do not share the last token', async () => {
      const store = await open(new HeldClock())
      const one = [budget({ tokensMax: 1 })]
      const answers = await Promise.all([store.take(one), store.take(one)])
      expect(answers.filter((seconds) => seconds === 0)).toHaveLength(1)
    })

    test('the largest budgets and windows keep their precision', async () => {
      const most = 2147483647
      const clock = new HeldClock(1e12)
      const store = await open(clock)
      const rare = budget({ key: 'rare', tokensMax: 1, windowSeconds: most })
      await store.take([rare])
      expect(await store.take([rare])).toBe(most)
      clock.advance(most * 1000 - 1)
      expect(await store.take([rare])).toBe(1)
      clock.advance(1)
      expect(await store.take([rare])).toBe(0)
      expect(await taken(store, [budget({ key: 'all', tokensMax: most, windowSeconds: 1 })], 1000)).toBe(1000)
    })

    test('waiting as long as it says is enough, and a second less is not', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 500 }),
          fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 2147483647 })),
          fc.nat({ max: 3_000_000 }),
          async (tokensMax, windowSeconds, idleMs) => {
            const clock = new HeldClock(1e9 / 7)
            const store = await open(clock)
            const asked = [budget({ tokensMax, windowSeconds })]
            await taken(store, asked, tokensMax)
            clock.advance(idleMs)
            await taken(store, asked, tokensMax)
            const waitSeconds = await store.take(asked)
            clock.advance((waitSeconds - 1) * 1000)
            expect(await store.take(asked)).toBe(1)
            clock.advance(1000)
            expect(await store.take(asked)).toBe(0)
          },
        ),
        { numRuns: runsMax },
      )
    })

    test('any sequence of takes is answered as by a plain model', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stepArb, { maxLength: 60 }), (steps) => agreesWithModel(open, steps)),
        { numRuns: Math.min(100, runsMax) },
      )
    })
  })
}

interface Step {
  idleMs: number
  keys: number[]
}

const stepArb: fc.Arbitrary<Step> = fc.record({
  idleMs: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat({ max: 5000 }), fc.nat({ max: 100_000 })),
  keys: fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 4 }),
})

/** Windows and capacities whose tokens come back after whole milliseconds, so that the model can count in integers. */
const modelBudgets = [
  { tokensMax: 1, windowSeconds: 1 },
  { tokensMax: 3, windowSeconds: 60 },
  { tokensMax: 4, windowSeconds: 1 },
  { tokensMax: 5, windowSeconds: 10 },
  { tokensMax: 2, windowSeconds: 3 },
].map((shape, i) => ({ ...shape, key: `key ${i}` }))

async function agreesWithModel(open: OpenedStores['open'], steps: Step[]): Promise<void> {
  const clock = new HeldClock()
  const store = await open(clock)
  /** Milliseconds until each bucket is full. */
  const debtsMs = modelBudgets.map(() => 0)
  for (const { idleMs, keys } of steps) {
    clock.advance(idleMs)
    for (const [key, debtMs] of debtsMs.entries()) debtsMs[key] = Math.max(0, debtMs - idleMs)
    const asked = keys.flatMap((key) => modelBudgets[key] ?? [])
    const afterMs = keys.map((key) => (debtsMs[key] ?? 0) + tokenMs(key))
    const waitsMs = asked.map(({ windowSeconds }, i) => (afterMs[i] ?? 0) - windowSeconds * 1000)
    const waitMs = Math.max(0, ...waitsMs)
    expect(await store.take(asked)).toBe(Math.ceil(waitMs / 1000))
    if (waitMs === 0) for (const [i, key] of keys.entries()) debtsMs[key] = afterMs[i] ?? 0
  }
}

function tokenMs(key: number): number {
  const { windowSeconds, tokensMax } = modelBudgets[key] ?? budget()
  return (windowSeconds * 1000) / tokensMax
}
