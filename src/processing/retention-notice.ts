import type { RetentionClass, RetentionCounts } from './retention.ts'

/** What an operator should hear of retention. */
export type RetentionNotice =
  /** A pass over all accounts has come to its end and deleted something since the last one was told of. */
  | { deleted: RetentionCounts }
  /** An account would lose most records of a class: it keeps them until the operator allows it. */
  | { waits: RetentionWait & { account: string } }
  /** The clock cannot be believed: nothing is deleted by age until it can, or the operator says that it is right. */
  | { clockDoubted: { now: number; expectedAt: number; isExact: boolean } }
  | { clockBelieved: number }

/** Why an account's pass waits: so many of a class are due, and no more than so many would be kept. */
export interface RetentionWait {
  class: RetentionClass
  due: number
  kept: number
  /** What the same pass would delete of the other classes. */
  also: RetentionCounts
}
