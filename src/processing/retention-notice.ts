import type { RetentionClass, RetentionCounts } from './retention.ts'

/** What operators should know about retention. */
export type RetentionNotice =
  /** A pass over all accounts has ended and deleted something since the last such notice. */
  | { deleted: RetentionCounts }
  /** An account would lose most records of a class. It keeps them until the operator allows the deletion. */
  | { waits: RetentionWait & { account: string } }
  /** The clock is implausible: nothing is deleted by age until it is plausible or the operator accepts it. */
  | { clockDoubted: { now: number; expectedAt: number; isExact: boolean } }
  | { clockBelieved: number }

/** Why an account's pass waits: so many records of a class are due, and only so many would be kept. */
export interface RetentionWait {
  class: RetentionClass
  due: number
  kept: number
  /** What the same pass would delete of the other classes. */
  also: RetentionCounts
}
