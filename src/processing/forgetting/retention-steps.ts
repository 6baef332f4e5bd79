import type { Clock } from '../../lib/clock.ts'
import { noRecords, refusedKeptMax, retentionCutoffs } from '../retention.ts'
import type { RetentionGuard } from './retention-guard.ts'
import type { Expired, LookedThrough, RetainedAccount, RetentionStore } from './retention-store.ts'

/** Between two sweeps over everything. */
const sweepEveryMs = 60 * 60_000
/** After so long without an end, retention gets its turn even if records wait to be processed. */
const waitsMsMax = 2 * sweepEveryMs
/** After so many new records, accounts that refused any of them are held to their limit before the next sweep. */
const recordsPerCheck = 2000

interface AccountLeft {
  account: RetainedAccount
  /** `false`: only refused submissions beyond the limit. */
  isSwept: boolean
}

interface RetentionOptions {
  guard: RetentionGuard
  /** Refused submissions that an account keeps at most. */
  keptMax?: number
}

/**
 * Retention in steps (docs/privacy.md): at the start and then every hour, it finds what each account no longer keeps, and
 * deletes it with everything derived from it, a few records at a time. Roll-ups stay.
 *
 * Its time is the one up to which records were processed. Waiting records thus find everything that was there when they
 * were received, and make the same persons and figures as if they had not waited.
 *
 * It lives as long as a service and continues over each new connection: with a disk or lock that fails now and then, it would
 * otherwise never finish.
 */
export class RetentionSteps {
  private readonly guard: RetentionGuard
  private readonly keptMax: number
  private sweptAtMs: number | null = null
  /** The instant by which the present sweep deletes, epoch milliseconds; `null`: no sweep. */
  private sweepsBy: number | null = null
  /** When nothing was left to do, or when waiting for a turn began; `null`: neither yet. */
  private restedAtMs: number | null = null
  /** The place up to which the limit of refused submissions was applied. */
  private checkedTo = 0
  /** Accounts still to be examined, the present one first. */
  private left: AccountLeft[] = []
  private readonly lookedThrough: LookedThrough = new Map()
  /** What was deleted since the last report. */
  private deleted = noRecords()
  /** What was found of the present account, and on which connection. */
  private store: RetentionStore | null = null
  private found: Generator<Expired[], undefined> | null = null
  private waiting: readonly Expired[] = []

  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    { guard, keptMax = refusedKeptMax }: RetentionOptions,
  ) {
    this.guard = guard
    this.keptMax = keptMax
  }

  /** Whether it has been without an end for so long that it must not wait for processing any longer. */
  isOverdue(): boolean {
    const nowMs = this.clock.monotonicMs()
    this.restedAtMs ??= nowMs
    return nowMs - this.restedAtMs >= waitsMsMax
  }

  /**
   * Continues for about so many milliseconds; returns whether more waits.
   *
   * @throws when the disk or a lock prevents it; then nothing of the step was deleted
   */
  run(store: RetentionStore, msMax: number): 'more' | 'done' {
    const deadlineMs = this.clock.monotonicMs() + msMax
    const isOver = () => this.clock.monotonicMs() >= deadlineMs
    this.goOnOver(store)
    if (this.left.length === 0) this.left = this.due(store)
    while (this.left.length > 0) {
      if (this.waiting.length === 0) this.waiting = store.readable(() => this.next(store)) ?? this.leaveAccount()
      this.removeWaiting(store, isOver)
      if (isOver()) return 'more'
    }
    if (this.sweepsBy !== null) this.tell()
    this.sweepsBy = null
    this.restedAtMs = this.clock.monotonicMs()
    return 'done'
  }

  /** Reports what was deleted since the last call. */
  tell(): void {
    this.guard.deleted(this.deleted)
    this.deleted = noRecords()
  }

  private goOnOver(store: RetentionStore): void {
    if (this.store === store) return
    this.store = store
    this.found = null
    this.waiting = []
  }

  /** An account is done when everything found of it is deleted. */
  private next(store: RetentionStore): Expired[] {
    const [first] = this.left
    if (first === undefined) return []
    const found = this.found ?? this.expired(store, first)
    // A generator that threw has ended: the account is then examined once more.
    this.found = null
    const next = found.next()
    if (next.done === true) this.left.shift()
    else this.found = found
    return next.value ?? []
  }

  /** Skips an account that cannot be read until the next sweep, so that processing goes on; `doctor` reports the damage. */
  private leaveAccount(): Expired[] {
    this.left.shift()
    this.found = null
    return []
  }

  private removeWaiting(store: RetentionStore, isOver: () => boolean): void {
    if (this.waiting.length === 0) return
    const done = store.readable(() => store.remove(this.waiting, isOver))
    for (const expired of this.waiting.slice(0, done ?? 0)) this.deleted[expired.class]++
    this.waiting = done === null ? this.leaveAccount() : this.waiting.slice(done)
  }

  private due(store: RetentionStore): AccountLeft[] {
    const nowMs = this.clock.monotonicMs()
    const processed = store.processedTo()
    const isTime = this.sweptAtMs === null || nowMs - this.sweptAtMs >= sweepEveryMs
    if (isTime || this.guard.mayGoOn(store)) {
      this.tell()
      const accounts = store.accounts()
      this.sweepsBy = this.guard.begin(store)
      if (this.sweepsBy !== null) store.forgetReplies(beforeWaiting(store, this.sweepsBy))
      this.sweptAtMs = nowMs
      this.checkedTo = processed
      return accounts.map((account) => ({ account, isSwept: this.sweepsBy !== null }))
    }
    if (processed - this.checkedTo < recordsPerCheck) return []
    const accounts = store.accountsRefusing(this.checkedTo)
    this.checkedTo = processed
    return accounts.map((account) => ({ account, isSwept: false }))
  }

  private *expired(store: RetentionStore, { account, isSwept }: AccountLeft): Generator<Expired[], undefined> {
    if (isSwept) yield* this.expiredByAge(store, account)
    yield* store.refusedBeyond(account, this.keptMax)
  }

  private *expiredByAge(store: RetentionStore, account: RetainedAccount): Generator<Expired[], undefined> {
    const { lookedThrough, sweepsBy: now } = this
    const terms = store.account(account)?.terms
    if (terms === undefined || now === null) return
    const at = beforeWaiting(store, now)
    if (!(yield* this.guard.admits(store, { account, terms, at, now, lookedThrough }))) return
    yield* store.expired({ account, now, cutoffs: retentionCutoffs(terms, at), lookedThrough })
    this.guard.passed(store, account, { at, terms })
  }
}

/** While records wait, the receipt of the oldest. */
const beforeWaiting = (store: RetentionStore, now: number): number => Math.min(now, store.oldestWaitingAt() ?? now)
