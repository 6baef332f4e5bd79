import { breath } from './breath.ts'

/** Rows changed in one transaction: about 5 ms. */
export const rowsPerStep = 500

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
