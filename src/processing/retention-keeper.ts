import type { RetentionSettings } from '../account/account.ts'
import type { ClockBelief } from './clock-belief.ts'
import type { RetentionClass, RetentionCounts } from './retention.ts'
import type { RetentionWait } from './retention-notice.ts'

/** What an account keeps, and what of it is due. */
export interface RetentionOutlook {
  due: RetentionCounts
  /** When the next record of a class comes to its end, epoch milliseconds; `null`: none is there, or it is kept for ever. */
  nextDueAt: Record<RetentionClass, number | null>
}

export interface AccountRetention {
  handle: string
  terms: RetentionSettings
  /** By which instant the last pass deleted, epoch milliseconds; `null`: there was none yet. */
  passedAt: number | null
  /** What it waits for, and since when; `null`: it waits for nothing. */
  wait: (RetentionWait & { since: number; isAllowed: boolean }) | null
}

/**
 * What an operator can see and say of retention, beside a running service or without one.
 *
 * Guarantees: a service heeds what is said within a second of its next moment without work; what is allowed holds for one
 * pass.
 */
export interface RetentionKeeper {
  /** The clock as the next pass would judge it. */
  clock(): ClockBelief & { now: number }
  accounts(): Promise<AccountRetention[]>
  /** What would be deleted by such terms at this moment. */
  outlook(accountId: string, terms: RetentionSettings): Promise<RetentionOutlook>
  /**
   * To be called before an account gets shorter terms of which the operator is told what they make due: that is expected
   * then. @param terms those until now
   */
  announce(accountId: string, terms: RetentionSettings): Promise<void>
  /** Lets the pass that waits go ahead; answers what that waited for, or `null` when nothing did. */
  allow(accountId: string): Promise<RetentionWait | null>
  /** The clock is right as it is now. What is due by it and was not before is looked at again, account by account. */
  trustClock(): Promise<void>
}
