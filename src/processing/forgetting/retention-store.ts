import type { RetentionSettings } from '../../account/account.ts'
import type { ClockReading } from '../clock-belief.ts'
import type { RetentionClass, RetentionCutoffs, RetentionPass } from '../retention.ts'
import type { RetentionWait } from '../retention-notice.ts'

/** Storage's key of an account. It means nothing elsewhere. */
export type RetainedAccount = number & { readonly __of: 'account' }

/** Storage's key of a record that is due for deletion, and its class. Later records have greater keys. */
export interface Expired {
  sequence: number
  class: RetentionClass
}

/** By account, up to which record no submission that processing does not know is left. */
export type LookedThrough = Map<RetainedAccount, number>

export interface ExpiredQuery {
  account: RetainedAccount
  /** The clock's time, epoch milliseconds. */
  now: number
  cutoffs: RetentionCutoffs
  /** Moves on behind what was yielded and deleted. */
  lookedThrough: LookedThrough
}

/** How far retention has come with an account, and what an operator decided about it. */
export interface AccountRetentionState {
  /** `null`: none since the operator last accepted the clock. */
  pass: RetentionPass | null
  isAllowed: boolean
}

/** What the box knows and keeps of the clock. */
export interface ClockStore {
  /** The clocks, as far as the machine has them. */
  readClock(now: number): ClockReading
  /** The last reading that was believed; `null`: no service has run yet. */
  seenClock(): ClockReading | null
  saveClock(reading: ClockReading): void
  /** The latest time that the box itself has stored, epoch milliseconds; `null`: nothing yet. */
  latestTrace(): number | null
  /** Runs `work` while nobody else writes; storage keeps all of it or nothing. */
  exclusively<Result>(work: () => Result): Result
  /** Forgets all passes: what a clock makes due that an operator accepted is examined as if there had been none. */
  forgetPasses(): void
}

/**
 * What retention asks of storage, on one connection. Synchronous: it works in steps, on the thread that commits.
 *
 * Guarantees: what `remove` deletes goes with everything derived from it, or not at all; a generator tolerates that what it
 * yielded is deleted before it goes on.
 */
export interface RetentionStore extends ClockStore {
  accounts(): RetainedAccount[]
  /** `null`: removed since. */
  account(key: RetainedAccount): { handle: string; terms: RetentionSettings } | null
  /** Those of which submissions behind that place were refused. */
  accountsRefusing(behind: number): RetainedAccount[]
  /** The place up to which records are processed. */
  processedTo(): number
  /** Receipt of the first record that waits to be processed, epoch milliseconds; `null`: none waits. */
  oldestWaitingAt(): number | null
  /** Removes what counts replies to visitors, once it counts for no record received at `at` (epoch milliseconds) or later. */
  forgetReplies(at: number): void

  /** Records received before the cutoffs, a few at a time. */
  expired(query: ExpiredQuery): Generator<Expired[]>
  /** Refused submissions beyond the newest so many, without released ones. */
  refusedBeyond(account: RetainedAccount, keptMax: number): Generator<Expired[]>
  /** How many records of a class would stay, page by page. `lastDue`: the last of the class that would not. */
  kept(query: Pick<ExpiredQuery, 'account' | 'cutoffs'> & { class: RetentionClass; lastDue: number }): Generator<number>
  /** Deletes the first records, as many as there is time for, at least one; returns how many. */
  remove(expired: readonly Expired[], isOver: () => boolean): number
  /** The result of `read`; `null` if it meets a place that cannot be read. */
  readable<Result>(read: () => Result): Result | null

  /** `null`: never examined. */
  state(account: RetainedAccount): AccountRetentionState | null
  passed(account: RetainedAccount, pass: RetentionPass): void
  waits(account: RetainedAccount, wait: RetentionWait, now: number): void
  /** Whether a pass that waited may continue. */
  isAnyAllowed(): boolean
}
