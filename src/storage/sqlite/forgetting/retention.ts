import { missingDaysKept } from '../../../capture/missing-log.ts'
import { refusalHoursKept } from '../../../capture/refusal-log.ts'
import { replyWindowMsMax } from '../../../delivery/reply/reply-rules.ts'
import type { Clock } from '../../../lib/clock.ts'
import {
  allOf,
  noRecords,
  type RetentionNotice,
  type RetentionPass,
  refusedKeptMax,
  retentionCutoffs,
  unexpectedCutoffs,
} from '../../../processing/retention.ts'
import type { Connection } from '../database/connection.ts'
import { unlessDamaged } from '../database/damage.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { isFollowing } from '../lookup/following.ts'
import { byRow } from '../lookup/ledger-tree.ts'
import { forgetMissingQuery, forgetRefusalsQuery } from '../lookup/old-counts.ts'
import { processedTo } from '../processing/processed-to.ts'
import { ClockWatch } from './clock-watch.ts'
import { type Expired, type ExpiredQuery, expiredRecords, mostOfAccount, refusedBeyond } from './expired-records.ts'
import { ExpiredRemoval } from './expired-removal.ts'
import { RemovalNotes } from './removal-notes.ts'
import { isAnyAllowed, keepPass, keepWait, passState, retainedAccount } from './retention-state.ts'

const msPerHour = 60 * 60_000
const msPerDay = 24 * msPerHour
/** Between two sweeps over everything. */
const sweepEveryMs = msPerHour
/** After so long without an end, retention gets its turn even if records wait to be processed. */
const waitsMsMax = 2 * sweepEveryMs
/** After so many new records, accounts that refused any of them are held to their limit before the next sweep. */
const recordsPerCheck = 2000

interface AccountLeft {
  row: number
  /** `false`: only refused submissions beyond the limit. */
  isSwept: boolean
}

/**
 * Retention (docs/privacy.md): at the start and then every hour, a sweep passes over one account after the other. A pass
 * finds what the account no longer keeps, waits for the operator if that is most of it, and deletes it with everything
 * derived from it, a few records at a time. Figures stay.
 *
 * A clock that has jumped makes years of records due at once, and nothing brings them back. So nothing is deleted by an
 * implausible clock; and by a plausible one, not most of an account's records of a class unless time and terms explain
 * it or the operator allows it.
 *
 * Its time is the one up to which records were processed. Waiting records thus find everything that was there when they
 * were received, and make the same persons and figures as if they had not waited.
 *
 * It lives as long as a service and continues over each new connection: with a disk or lock that fails now and then, it
 * would otherwise never finish.
 */
export class Retention {
  private sweptAtMs: number | null = null
  /** The instant by which the present sweep deletes, epoch milliseconds; `null`: no sweep. */
  private sweepsBy: number | null = null
  /** When nothing was left to do, or when waiting for a turn began; `null`: neither yet. */
  private restedAtMs: number | null = null
  /** The place up to which the limit of refused submissions was applied. */
  private checkedTo = 0
  /** Accounts still to be examined, the present one first. */
  private left: AccountLeft[] = []
  /** The pass over the present account, and its connection. */
  private pass: Generator<undefined, void> | null = null
  private connection: Connection | null = null
  private removal: ExpiredRemoval | null = null
  private isOver = () => true
  private readonly lookedThrough: ExpiredQuery['lookedThrough'] = new Map()
  /** What was deleted since the last report. */
  private deleted = noRecords()
  private isClockDoubted = false
  /** Accounts whose operator was told that they wait. */
  private readonly waiting = new Set<number>()

  /** @param keptMax refused submissions that an account keeps at most */
  constructor(
    private readonly clock: Clock,
    private readonly onNotice: (notice: RetentionNotice) => void,
    private readonly keptMax = refusedKeptMax,
  ) {}

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
  run(connection: Connection, msMax: number): 'more' | 'done' {
    const deadlineMs = this.clock.monotonicMs() + msMax
    this.isOver = () => this.clock.monotonicMs() >= deadlineMs
    if (connection !== this.connection) {
      this.connection = connection
      this.pass = null
      this.removal = null
    }
    if (isFollowing(connection)) return this.leaveToLeader()
    if (this.left.length === 0) this.left = this.due(connection)
    for (let [account] = this.left; account !== undefined; [account] = this.left) {
      if (this.hasPassed(connection, account)) this.left.shift()
      if (this.isOver()) return 'more'
    }
    if (this.sweepsBy !== null) this.tell()
    this.sweepsBy = null
    this.restedAtMs = this.clock.monotonicMs()
    return 'done'
  }

  /** The leader says what expires (followed-removal.ts). A sweep begins once this node leads. */
  private leaveToLeader(): 'done' {
    this.left = []
    this.pass = null
    this.sweptAtMs = null
    this.restedAtMs = this.clock.monotonicMs()
    return 'done'
  }

  tell(): void {
    if (allOf(this.deleted) > 0) this.onNotice({ deleted: this.deleted })
    this.deleted = noRecords()
  }

  /** The clock's time, epoch milliseconds; `null`: it is implausible, which is told once. */
  judgeClock(connection: Connection): number | null {
    const now = this.clock.now()
    const { isBelieved, expectedAt, isExact } = new ClockWatch(connection).keep(now)
    if (isBelieved === this.isClockDoubted) {
      this.onNotice(isBelieved ? { clockBelieved: now } : { clockDoubted: { now, expectedAt, isExact } })
    }
    this.isClockDoubted = !isBelieved
    return isBelieved ? now : null
  }

  private due(connection: Connection): AccountLeft[] {
    const nowMs = this.clock.monotonicMs()
    const processed = processedTo(connection)
    const isTime = this.sweptAtMs === null || nowMs - this.sweptAtMs >= sweepEveryMs
    if (isTime || this.mayGoOn(connection)) {
      this.tell()
      const by = this.judgeClock(connection)
      if (by !== null) forgetReplies(connection, beforeWaiting(connection, by))
      this.sweepsBy = by
      this.sweptAtMs = nowMs
      this.checkedTo = processed
      return presentAccounts(connection).map(({ row }) => ({ row, isSwept: by !== null }))
    }
    if (processed - this.checkedTo < recordsPerCheck) return []
    const refusing = accountsRefusing(connection, this.checkedTo)
    this.checkedTo = processed
    return refusing.map(({ row }) => ({ row, isSwept: false }))
  }

  /** Whether something that waited may continue before the next sweep. */
  private mayGoOn(connection: Connection): boolean {
    if (this.isClockDoubted) return new ClockWatch(connection).look(this.clock.now()).isBelieved
    return this.waiting.size > 0 && isAnyAllowed(connection)
  }

  /**
   * Continues the account's pass; returns whether it has ended. At a page that cannot be read it ends until the next sweep, so
   * that processing goes on; `doctor` reports the damage.
   */
  private hasPassed(connection: Connection, account: AccountLeft): boolean {
    const pass = this.pass ?? this.passOver(connection, account)
    // One that throws has ended: the account is then examined once more.
    this.pass = null
    const hasEnded = unlessDamaged(
      () => pass.next().done === true,
      () => true,
    )
    if (!hasEnded) this.pass = pass
    return hasEnded
  }

  private *passOver(connection: Connection, { row, isSwept }: AccountLeft): Generator<undefined, void> {
    if (isSwept) {
      yield* this.forgetCounts(connection, row)
      yield* this.deleteByAge(connection, row)
    }
    yield* this.delete(connection, refusedBeyond(connection, row, this.keptMax))
  }

  /** Counts of refusals and missing addresses; while more are counted, the older ones go with each commit. */
  private *forgetCounts(connection: Connection, accountRow: number): Generator<undefined, void> {
    if (this.sweepsBy === null) return
    const hour = Math.floor(this.sweepsBy / msPerHour)
    const day = Math.floor(this.sweepsBy / msPerDay)
    for (const [statement, before] of [
      [forgetRefusalsQuery, hour - refusalHoursKept],
      [forgetMissingQuery, day - missingDaysKept],
    ] as const)
      while (connection.raw.query<null, [number, number]>(statement).run(accountRow, before).changes > 0) yield
  }

  private *deleteByAge(connection: Connection, accountRow: number): Generator<undefined, void> {
    const { lookedThrough, sweepsBy: now } = this
    const terms = retainedAccount(connection, accountRow)?.terms
    if (terms === undefined || now === null) return
    const at = beforeWaiting(connection, now)
    const query = { accountRow, now, cutoffs: retentionCutoffs(terms, at), lookedThrough }
    if (!(yield* this.mayDelete(connection, query, { at, terms }))) return
    yield* this.delete(connection, expiredRecords(connection, query))
    keepPass(connection, accountRow, { at, terms })
    this.waiting.delete(accountRow)
  }

  /** Whether the operator, or time and terms, explain what the pass would delete; otherwise it waits, which is told once. */
  private *mayDelete(
    connection: Connection,
    query: ExpiredQuery,
    { at, terms }: RetentionPass,
  ): Generator<undefined, boolean> {
    const { accountRow } = query
    const { isAllowed, pass } = passState(connection, accountRow)
    if (isAllowed) return true
    const wait = yield* mostOfAccount(connection, { ...query, cutoffs: unexpectedCutoffs(terms, at, pass) })
    if (wait === null) return true
    keepWait(connection, accountRow, wait, this.clock.now())
    if (!this.waiting.has(accountRow)) {
      this.waiting.add(accountRow)
      this.onNotice({ waits: { account: retainedAccount(connection, accountRow)?.handle ?? '', ...wait } })
    }
    return false
  }

  private *delete(connection: Connection, found: Iterable<Expired[]>): Generator<undefined, void> {
    const notes = new RemovalNotes(connection, this.clock)
    for (const page of found) {
      for (let left = page; left.length > 0; yield) {
        this.removal ??= new ExpiredRemoval(connection)
        const { removal } = this
        const sequences = left.map(({ sequence }) => sequence)
        const done = writeTransaction(connection, () => {
          const removed = removal.remove(sequences, this.isOver)
          notes.expired(sequences.slice(0, removed))
          return removed
        })
        for (const expired of left.slice(0, done)) this.deleted[expired.class]++
        left = left.slice(done)
      }
      yield
    }
  }
}

interface AccountRow {
  row: number
}

const presentAccounts = ({ raw }: Connection): AccountRow[] =>
  raw.query<AccountRow, []>('SELECT row FROM account WHERE removed_at IS NULL').all()

/** Accounts of which submissions behind that place were refused. SQLite would go through all of them by account. */
const accountsRefusing = ({ raw }: Connection, behind: number): AccountRow[] =>
  raw
    .query<AccountRow, [number]>(
      `SELECT DISTINCT account_row AS row FROM ${byRow('submission_fact')} WHERE sequence > ? AND status = 'refused'`,
    )
    .all(behind)

/** While records wait to be processed, the receipt of the oldest. */
function beforeWaiting({ raw }: Connection, now: number): number {
  const waiting = raw.query<{ receivedAt: number }, []>(
    `SELECT received_at AS receivedAt FROM ledger WHERE sequence > (SELECT cursor FROM processing)
     ORDER BY sequence LIMIT 1`,
  )
  return unlessDamaged(
    () => Math.min(now, waiting.get()?.receivedAt ?? now),
    () => now,
  )
}

/** Removes replies to visitors that no longer count for any record received at `at` (epoch milliseconds) or later. */
function forgetReplies({ raw }: Connection, at: number): void {
  unlessDamaged(
    () => raw.run('DELETE FROM visitor_reply WHERE at < ?', [at - 2 * replyWindowMsMax]),
    () => null,
  )
}
