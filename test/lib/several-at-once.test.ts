import { expect, test } from 'bun:test'
import { severalAtOnce } from '../../src/lib/several-at-once.ts'

const allThatCan = () => new Promise((resolve) => setImmediate(resolve))

test('so many are under way at once, and the results are in the order of the items', async () => {
  const held: (() => void)[] = []
  const all = severalAtOnce([1, 2, 3, 4, 5], 3, async (item) => {
    await new Promise<void>((resolve) => held.push(resolve))
    return item * 10
  })
  for (const underWay of [3, 3, 3, 2, 1]) {
    expect(held).toHaveLength(underWay)
    // The latest first, so that results come in another order.
    held.pop()?.()
    await allThatCan()
  }
  expect(await all).toEqual([10, 20, 30, 40, 50])
})
