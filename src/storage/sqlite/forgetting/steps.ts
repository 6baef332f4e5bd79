import { breath } from '../database/breath.ts'
import type { Refolding } from '../refolding/refolding.ts'

/** How long a step may hold the write lock or derive: 20 ms, less a slow disk's share. */
export const stepMs = 5
/** Items considered for one step. */
const itemsPerStepMax = 1000

/** Handles items until time is up, at least one; returns how many. */
export function untilOver<Item>(items: readonly Item[], isOver: () => boolean, work: (item: Item) => void): number {
  let done = 0
  for (const item of items) {
    if (done > 0 && isOver()) break
    work(item)
    done++
  }
  return done
}

/** Handles all items, as many in each step as `step` returns. */
export async function inSteps<Item>(items: readonly Item[], step: (items: readonly Item[]) => number): Promise<void> {
  for (let next = 0; next < items.length; ) {
    next += step(items.slice(next, next + itemsPerStepMax))
    await breath()
  }
}

/** Derives everything stale again, including what a killed erasure left stale. */
export async function refoldEverything(refolding: Refolding): Promise<void> {
  while (refolding.run(stepMs) === 'more') await breath()
}
