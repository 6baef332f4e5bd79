import type { CheckResult } from '../operations/check-result.ts'

export interface Examined {
  at: number
  checks: CheckResult[]
}

/**
 * Examines the box on another thread, so that the console keeps answering.
 *
 * Guarantees: at most one examination of each depth runs at a time; everybody who asks during it gets its result.
 */
export interface Examination {
  /** @param deep whether all published content is read and hashed */
  run(deep: boolean): Promise<Examined>
  isUnderWay(): boolean
  /** The latest result; `null`: no examination has ended since the console started. */
  latest(): Examined | null
}
