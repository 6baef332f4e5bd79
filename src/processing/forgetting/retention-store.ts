import type { RetentionSettings } from '../../account/account.ts'
import type { RetentionClass, RetentionCutoffs, RetentionPass, RetentionWait } from '../retention.ts'
import type { ClockStore } from './clock-watch.ts'

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

/** What decides how long a submission is kept. */
export interface RetainedSubmission {
  /** Epoch milliseconds. */
  receivedAt: number
  /** `null`: unreadable. */
  status: 'accepted' | 'refused' | null
  isReleased: boolean
}

/** A released submission is kept as long as an accepted one. */
export const classOf = ({ status, isReleased }: Omit<RetainedSubmission, 'receivedAt'>): RetentionClass =>
  status === 'refused' && !isReleased ? 'refused' : 'submissions'

export function hasSubmissionExpired(submission: RetainedSubmission, cutoffs: RetentionCutoffs): boolean {
  const cutoff = classOf(submission) === 'refused' ? cutoffs.refused : cutoffs.submissions
  return cutoff !== null && submission.receivedAt < cutoff
}

/** If the clock was ahead by less than this, the next sweep after that time looks past those records. */
const aheadMsMin = 86_400_000

/**
 * Whether records behind a page of them, in order of commit, are as young as these. A page of receipts in the future was written
 * while the clock was ahead, and says nothing about later pages.
 */
export const areAllYoung = (
  page: readonly { receivedAt: number }[],
  { before, now }: { before: number; now: number },
): boolean =>
  page.every(({ receivedAt }) => receivedAt >= before) && page.some(({ receivedAt }) => receivedAt <= now + aheadMsMin)
