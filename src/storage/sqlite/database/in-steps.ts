import { systemClock } from '../../../lib/clock.ts'
import type { Connection } from './connection.ts'
import { writeTransaction } from './write-transaction.ts'

/** Rows changed in one transaction: about 5 ms. */
export const rowsPerStep = 500
/** The server's commits wait for a step, hardly noticeably. */
const stepMs = 5

/**
 * Repeats a statement that changes at most `rowsPerStep` rows, so that nobody waits long for the write lock, until it finds no
 * more; returns how many it changed.
 */
export async function inSteps(step: () => { changes: number }): Promise<number> {
  for (let changed = 0; ; await breath()) {
    const { changes } = step()
    changed += changes
    if (changes < rowsPerStep) return changed
  }
}

/** Writes the items in order, in short transactions. @param onStep called after each with the number of items written */
export async function writeInSteps<Item>(
  { db }: Pick<Connection, 'db'>,
  items: readonly Item[],
  { write, onStep }: { write: (item: Item) => void; onStep?: (written: number) => void },
): Promise<void> {
  for (let next = 0; next < items.length; ) {
    writeTransaction({ db }, () => {
      const endsAt = systemClock.monotonicMs() + stepMs
      do write(items[next++] as Item)
      while (next < items.length && systemClock.monotonicMs() < endsAt)
    })
    onStep?.(next)
    await breath()
  }
}

/**
 * The pause between two steps of long work. A writer that found the lock taken looks again after 1, 2, 5, 10 ms and so
 * on: this pause lets it find the lock free within a few looks, however long the work takes.
 */
export const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, breathMs))

const breathMs = 10
