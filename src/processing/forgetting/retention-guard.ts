import type { RetentionSettings } from '../../account/account.ts'
import {
  allOf,
  isMost,
  noRecords,
  type RetentionCounts,
  type RetentionNotice,
  type RetentionPass,
  type RetentionWait,
  retentionClasses,
  unexpectedCutoffs,
} from '../retention.ts'
import { ClockWatch } from './clock-watch.ts'
import type { Expired, ExpiredQuery, LookedThrough, RetainedAccount, RetentionStore } from './retention-store.ts'

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

/**
 * Whether deleting what was received before the cutoffs would take most of an account's records of a class; `null`: no.
 * In steps, since an account may have millions: each yield only means that counting continues.
 */
export function* mostOfAccount(
  store: Pick<RetentionStore, 'expired' | 'kept'>,
  query: ExpiredQuery,
): Generator<Expired[], RetentionWait | null> {
  const due = noRecords()
  const last = noRecords()
  // Nothing is deleted yet, so how far this has looked is not remembered.
  for (const found of store.expired({ ...query, lookedThrough: new Map(query.lookedThrough) })) {
    for (const expired of found) {
      due[expired.class]++
      last[expired.class] = Math.max(last[expired.class], expired.sequence)
    }
    yield []
  }
  for (const name of retentionClasses) {
    if (!isMost({ due: due[name], kept: 0 })) continue
    let kept = 0
    for (const page of store.kept({ ...query, class: name, lastDue: last[name] })) {
      kept += page
      if (!isMost({ due: due[name], kept })) break
      yield []
    }
    if (isMost({ due: due[name], kept })) return { class: name, due: due[name], kept, also: { ...due, [name]: 0 } }
  }
  return null
}
