import type { Clock } from '../../../lib/clock.ts'
import { noRecords, type RetentionCounts, refusedKeptMax, retentionCutoffs } from '../../../processing/retention.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { processedTo } from '../processing/processed-to.ts'
import { passingDamage, unlessDamaged } from '../salvage/damage.ts'
import {
  type Expired,
  expiredRecords,
  type LookedThrough,
  refusedBeyond,
  type SubmissionsUnderWay,
} from './expired-records.ts'
import { ExpiredRemoval } from './expired-removal.ts'
import { RetentionAccounts } from './retention-accounts.ts'
import type { RetentionGuard } from './retention-guard.ts'

/** Between two sweeps over everything. */
const sweepEveryMs = 60 * 60_000
/** After so long without an end, retention gets its turn even if records wait to be processed. */
const waitsMsMax = 2 * sweepEveryMs
/** After so many new records, accounts that refused any of them are held to their limit before the next sweep. */
const recordsPerCheck = 2000

interface RetentionOptions {
  guard: RetentionGuard
  /** Refused submissions that an account keeps at most. */
  keptMax?: number
  /** Where to continue; moves with every step. */
  progress?: RetentionProgress
}

/** How far retention has come; a service keeps it through failures and over new connections. */
interface RetentionProgress {
  sweptAtMs: number | null
  /** The instant by which the present sweep deletes, epoch milliseconds; `null`: no sweep. */
  sweepsBy: number | null
  /** What was deleted since the last report. */
  deleted: RetentionCounts
  /** When nothing was left to do, or when waiting for a turn began; `null`: neither yet. */
  restedAtMs: number | null
  /** The ledger sequence up to which the limit of refused submissions was applied. */
  checkedTo: number
  lookedThrough: LookedThrough
  /** Accounts still to be examined, the present one first. */
  left: AccountLeft[]
}

interface AccountLeft extends SubmissionsUnderWay {
  row: number
  /** `false`: only refused submissions beyond the limit. */
  isSwept: boolean
}

export const retentionBegin = (): RetentionProgress => ({
  sweptAtMs: null,
  sweepsBy: null,
  deleted: noRecords(),
  restedAtMs: null,
  checkedTo: 0,
  lookedThrough: new Map(),
  left: [],
})

/**
 * Retention in steps (contract section 8): at the start and then every hour, it finds by index what each account no
 * longer keeps, and deletes it with everything derived from it, a few records in each transaction. Roll-ups stay.
 *
 * Its time is the one up to which records were processed. Waiting records thus find everything that was there when they
 * were received, and make the same persons and figures as if they had not waited.
 */
export class RetentionSteps {
  /** What was found of the present account. */
  private found: Generator<Expired[], undefined> | null = null
  private waiting: Expired[] = []
  private readonly removal: ExpiredRemoval
  private readonly accounts: RetentionAccounts
  private readonly guard: RetentionGuard
  private readonly keptMax: number
  private readonly progress: RetentionProgress

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    { guard, keptMax = refusedKeptMax, progress = retentionBegin() }: RetentionOptions,
  ) {
    this.guard = guard
    this.progress = progress
    this.removal = new ExpiredRemoval(connection)
    this.accounts = new RetentionAccounts(connection)
    this.keptMax = keptMax
  }

  /** Whether it has been without an end for so long that it must not wait for processing any longer. */
  isOverdue(): boolean {
    const nowMs = this.clock.monotonicMs()
    this.progress.restedAtMs ??= nowMs
    return nowMs - this.progress.restedAtMs >= waitsMsMax
  }

  /**
   * Continues for about so many milliseconds; returns whether more waits.
   *
   * @throws SQLiteError when the disk or a lock prevents it; then nothing of the step was deleted
   */
  run(msMax: number): 'more' | 'done' {
    const deadlineMs = this.clock.monotonicMs() + msMax
    if (this.progress.left.length === 0) this.progress.left = this.due()
    while (this.progress.left.length > 0) {
      if (this.waiting.length === 0) this.waiting = unlessDamaged(this.nextFound, this.leaveAccount)
      const removed = passingDamage(this.waiting, (found) => this.remove(found, deadlineMs))
      this.waiting = this.waiting.slice(removed)
      if (this.clock.monotonicMs() >= deadlineMs) return 'more'
    }
    if (this.progress.sweepsBy !== null) this.tell()
    this.progress.sweepsBy = null
    this.progress.restedAtMs = this.clock.monotonicMs()
    return 'done'
  }

  /** Reports what was deleted since the last call. */
  tell(): void {
    this.guard.deleted(this.progress.deleted)
    this.progress.deleted = noRecords()
  }

  /** An account is done when everything found of it is deleted. */
  private readonly nextFound = (): Expired[] => {
    const [account] = this.progress.left
    if (account === undefined) return []
    const found = this.found ?? this.expired(account)
    // A generator that threw has ended: the account is then examined once more.
    this.found = null
    const next = found.next()
    if (next.done === true) this.progress.left.shift()
    else this.found = found
    return next.value ?? []
  }

  /** Skips an unreadable account until the next sweep; `doctor` reports the damage. */
  private readonly leaveAccount = (): Expired[] => {
    this.found = null
    this.progress.left.shift()
    return []
  }

  private remove(found: readonly Expired[], deadlineMs: number): number {
    if (found.length === 0) return 0
    const sequences = found.map(({ sequence }) => sequence)
    const removed = writeTransaction(this.connection, () =>
      this.removal.remove(sequences, () => this.clock.monotonicMs() >= deadlineMs),
    )
    for (const expired of found.slice(0, removed)) this.progress.deleted[expired.class]++
    return removed
  }

  private due(): AccountLeft[] {
    const { progress } = this
    const nowMs = this.clock.monotonicMs()
    const processed = processedTo(this.connection)
    const isTime = progress.sweptAtMs === null || nowMs - progress.sweptAtMs >= sweepEveryMs
    if (isTime || this.guard.mayGoOn()) {
      this.tell()
      const rows = this.accounts.rows()
      progress.sweepsBy = this.guard.begin()
      progress.sweptAtMs = nowMs
      progress.checkedTo = processed
      return rows.map((row) => ({ row, isSwept: progress.sweepsBy !== null, submissionsTo: 0 }))
    }
    if (processed - progress.checkedTo < recordsPerCheck) return []
    const rows = this.accounts.thatRefused(progress.checkedTo)
    progress.checkedTo = processed
    return rows.map((row) => ({ row, isSwept: false, submissionsTo: 0 }))
  }

  private *expired(account: AccountLeft): Generator<Expired[], undefined> {
    if (account.isSwept) yield* this.expiredByAge(account)
    yield* refusedBeyond(this.connection, account.row, this.keptMax)
  }

  private *expiredByAge(account: AccountLeft): Generator<Expired[], undefined> {
    const terms = this.accounts.termsOf(account.row)
    const { lookedThrough, sweepsBy } = this.progress
    if (terms === null || sweepsBy === null) return
    // While records wait, the receipt of the oldest.
    const at = Math.min(sweepsBy, this.accounts.oldestWaitingAt() ?? sweepsBy)
    if (!(yield* this.guard.admits({ accountRow: account.row, terms, at, now: sweepsBy }, lookedThrough))) return
    const cutoffs = retentionCutoffs(terms, at)
    yield* expiredRecords(this.connection, account.row, { ...cutoffs, now: sweepsBy, lookedThrough, underWay: account })
    this.guard.passed(account.row, { at, terms })
  }
}
