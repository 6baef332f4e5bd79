import type { CheckResult } from '../operations/doctor/check-result.ts'

/** What `capture doctor` found at one time. */
export interface Examined {
  /** When it was begun, epoch milliseconds. */
  at: number
  checks: CheckResult[]
}

/**
 * Examines the box beside the console, which answers meanwhile.
 *
 * Guarantees: not more than one examination of each depth runs at a time; whoever asks meanwhile gets its result.
 */
export interface Examination {
  /** @param deep whether all published content is read and hashed */
  run(deep: boolean): Promise<Examined>
  isUnderWay(): boolean
  /** What the latest one found; `null`: none has ended since the console started. */
  latest(): Examined | null
}
