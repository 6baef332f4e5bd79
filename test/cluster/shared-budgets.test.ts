import { expect, test } from 'bun:test'
import type { Budget } from '../../src/capture/budget-store.ts'
import { type ReachedBudgets, SharedBudgets } from '../../src/cluster/shared-budgets.ts'
import { TokenBuckets } from '../../src/storage/memory/token-buckets.ts'
import { HeldClock } from '../contract/budget-store.ts'
import { eventually } from '../harness/eventually.ts'

const budget: Budget = { key: 'form contact1 203.0.113.9', tokensMax: 30, windowSeconds: 60 }

/** A server's budgets that fail when a test wants it. */
class FailingBudgets implements ReachedBudgets {
  isUp = true
  takes = 0
  isClosed = false
  private readonly buckets = new TokenBuckets(new HeldClock())

  async reach(): Promise<void> {
    if (!this.isUp) throw new Error('nobody is there')
  }

  async take(budgets: readonly Budget[]): Promise<number> {
    this.takes++
    if (!this.isUp) throw new Error('no answer')
    return this.buckets.take(budgets)
  }

  close(): void {
    this.isClosed = true
  }
}

function aNode({ reached, nodes }: { reached: ReachedBudgets | null; nodes: number }) {
  const said: string[] = []
  const say = (message: string): void => void said.push(message)
  const own = new TokenBuckets(new HeldClock())
  const log = { info: say, warn: say, error: say }
  return { said, budgets: new SharedBudgets({ reached, own, nodes: () => nodes, log }) }
}

/** Begins to use the server's budgets. */
async function begun(budgets: SharedBudgets, reached: FailingBudgets) {
  const before = reached.takes
  const work = budgets.begin()
  await eventually('the server is asked', async () => {
    await budgets.take([])
    return reached.takes > before
  })
  return work
}

async function taken(budgets: SharedBudgets): Promise<number> {
  let times = 0
  while ((await budgets.take([budget])) === 0) times++
  return times
}

test.each([
  [1, 30],
  [2, 15],
  [3, 10],
  [4, 8],
  [40, 1],
])('of %i nodes without a server for budgets, each grants %i of 30', async (nodes, share) => {
  expect(await taken(aNode({ reached: null, nodes }).budgets)).toBe(share)
})

test('all nodes take from the budget of the server', async () => {
  const reached = new FailingBudgets()
  const [one, other] = [aNode({ reached, nodes: 2 }), aNode({ reached, nodes: 2 })]
  const work = [await begun(one.budgets, reached), await begun(other.budgets, reached)]
  for (let times = 0; times < 20; times++) await one.budgets.take([budget])
  expect(await taken(other.budgets)).toBe(10)
  await Promise.all(work.map((looking) => looking.stop()))
  expect(reached.isClosed).toBe(true)
})

test('while the server is away, a node grants its share, says so once, and goes back to the server', async () => {
  const reached = new FailingBudgets()
  const { budgets, said } = aNode({ reached, nodes: 3 })
  const work = await begun(budgets, reached)
  expect(await taken(budgets)).toBe(30)
  reached.isUp = false
  expect(await taken(budgets)).toBe(10)
  expect(said).toEqual([expect.stringContaining('each node grants its share')])
  reached.isUp = true
  await eventually('the server is used again', async () => said.length === 2)
  expect(said[1]).toContain('budgets hold over all nodes again')
  expect(await budgets.take([budget])).toBeGreaterThan(0)
  await work.stop()
})
