import type { RetentionSettings } from '../account/account.ts'
import type { ClockBelief } from './clock-belief.ts'
import type { RetentionClass, RetentionCounts } from './retention.ts'
import type { RetentionWait } from './retention-notice.ts'

/** What an account keeps and what of it is due. */
export interface RetentionOutlook {
  due: RetentionCounts
  /**
   * When the next record of a class expires, epoch milliseconds; `null`: there is none, or the class is kept forever.
   */
  nextDueAt: Record<RetentionClass, number | null>
}

export interface AccountRetention {
  handle: string
  terms: RetentionSettings
  /** The instant by which the last pass deleted, epoch milliseconds; `null`: there was no pass yet. */
  passedAt: number | null
  /** What the pass waits for, and since when; `null`: it does not wait. */
  wait: (RetentionWait & { since: number; isAllowed: boolean }) | null
}

/**
 * What an operator can see and decide about retention, with or without a running service.
 *
 * Guarantees: a service obeys within a second of being idle; a permission holds for one pass.
 */
export interface RetentionKeeper {
  /** The clock as the next pass would judge it. */
  clock(): ClockBelief & { now: number }
  accounts(): Promise<AccountRetention[]>
  /** What these terms would delete right now. */
  outlook(accountId: string, terms: RetentionSettings): Promise<RetentionOutlook>
  /**
   * Call before an account gets shorter terms, once the operator knows what becomes due: retention then expects that.
   * @param terms the present ones
   */
  announce(accountId: string, terms: RetentionSettings): Promise<void>
  /** Lets the waiting pass go ahead. Returns what it waited for; `null` if it did not wait. */
  allow(accountId: string): Promise<RetentionWait | null>
  /** Accepts the present clock. What it makes due is examined again, account by account. */
  trustClock(): Promise<void>
}
