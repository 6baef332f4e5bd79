import type { RetentionGuard } from '../../../src/processing/forgetting/retention-guard.ts'

/** Lets every deletion go ahead, by the clock that a test holds: for tests of how records are deleted, not of whether. */
export const unguarded = ({ now }: { now: () => number }): RetentionGuard => ({
  begin: now,
  mayGoOn: () => false,
  // biome-ignore lint/correctness/useYield: there is nothing to count
  *admits() {
    return true
  },
  passed: () => {},
  deleted: () => {},
})
