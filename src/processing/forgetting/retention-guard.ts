import type { RetentionSettings } from '../../account/account.ts'
import { allOf, type RetentionCounts, type RetentionPass, unexpectedCutoffs } from '../retention.ts'
import type { RetentionNotice, RetentionWait } from '../retention-notice.ts'
import { ClockWatch } from './clock-watch.ts'
import { mostOfAccount } from './most-of-account.ts'
import type { Expired, LookedThrough, RetainedAccount, RetentionStore } from './retention-store.ts'

interface GuardedAccount {
  account: RetainedAccount
  terms: RetentionSettings
  /** The instant by which the pass deletes, and the clock's time, epoch milliseconds. */
  at: number
  now: number
  lookedThrough: LookedThrough
}

/** Decides whether retention may delete, and reports to operators. */
export interface RetentionGuard {
  /** The instant by which a sweep deletes, epoch milliseconds; `null`: the clock is implausible. */
  begin(store: RetentionStore): number | null
  /** Whether something that waited may continue before the next sweep. */
  mayGoOn(store: RetentionStore): boolean
  /** Whether the account's pass may delete, determined in steps. */
  admits(store: RetentionStore, account: GuardedAccount): Generator<Expired[], boolean>
  /** The account's pass has ended. */
  passed(store: RetentionStore, account: RetainedAccount, pass: RetentionPass): void
  deleted(counts: RetentionCounts): void
}

/**
 * A clock that has jumped makes years of records due at once, and nothing brings them back. So nothing is deleted by an
 * implausible clock; and by a plausible one, not most of an account's records of a class unless time and terms explain
 * it or the operator allows it. Reports each thing once, on whichever connection.
 */
export class OperatorsGuard implements RetentionGuard {
  private isClockDoubted = false
  /** Accounts that wait. */
  private readonly waiting = new Set<RetainedAccount>()

  constructor(
    private readonly clock: { now(): number },
    private readonly onNotice: (notice: RetentionNotice) => void,
  ) {}

  begin(store: RetentionStore): number | null {
    const now = this.clock.now()
    const { isBelieved, expectedAt, isExact } = new ClockWatch(store).keep(now)
    if (isBelieved === this.isClockDoubted) {
      this.onNotice(isBelieved ? { clockBelieved: now } : { clockDoubted: { now, expectedAt, isExact } })
    }
    this.isClockDoubted = !isBelieved
    return isBelieved ? now : null
  }

  mayGoOn(store: RetentionStore): boolean {
    if (this.isClockDoubted) return new ClockWatch(store).look(this.clock.now()).isBelieved
    return this.waiting.size > 0 && store.isAnyAllowed()
  }

  *admits(
    store: RetentionStore,
    { account, terms, at, now, lookedThrough }: GuardedAccount,
  ): Generator<Expired[], boolean> {
    const { isAllowed = false, pass = null } = store.state(account) ?? {}
    if (isAllowed) return true
    const cutoffs = unexpectedCutoffs(terms, at, pass)
    const wait = yield* mostOfAccount(store, { account, now, cutoffs, lookedThrough })
    if (wait !== null) this.hold(store, account, wait)
    return wait === null
  }

  passed(store: RetentionStore, account: RetainedAccount, pass: RetentionPass): void {
    store.passed(account, pass)
    this.waiting.delete(account)
  }

  deleted(counts: RetentionCounts): void {
    if (allOf(counts) > 0) this.onNotice({ deleted: counts })
  }

  private hold(store: RetentionStore, account: RetainedAccount, wait: RetentionWait): void {
    store.waits(account, wait, this.clock.now())
    if (this.waiting.has(account)) return
    this.waiting.add(account)
    this.onNotice({ waits: { account: store.account(account)?.handle ?? '', ...wait } })
  }
}
