import { type RetentionSettings, retentionByDefault } from '../../../account/account.ts'
import type { Clock } from '../../../lib/clock.ts'
import { refusedKeptMax, retentionCutoffs } from '../../../processing/retention.ts'
import type { Connection } from '../connection.ts'
import { expiredRecords, type LookedThrough, refusedBeyond, type SubmissionsUnderWay } from './expired-records.ts'
import { ExpiredRemoval } from './expired-removal.ts'

/** Between two sweeps over everything. */
const sweepEveryMs = 60 * 60_000
/** How long retention may have come to no end before it gets its turn although records wait to be processed. */
const waitsMsMax = 2 * sweepEveryMs
/** So many later records, and the accounts that refused any of them are held to their limit before the next sweep. */
const recordsPerCheck = 2000

export interface RetentionOptions {
  /** Refused submissions that an account keeps at most. */
  keptMax?: number
  /** Where to go on; it is moved with every step. */
  progress?: RetentionProgress
}

/** How far retention has come: what a service keeps over a failure, and with it over a new connection. */
export interface RetentionProgress {
  sweptAtMs: number | null
  /** When nothing was left to do, or when it began to wait for its turn; `null`: it has not. */
  restedAtMs: number | null
  /** The ledger's sequence up to which the limit of refused submissions was looked after. */
  checkedTo: number
  lookedThrough: LookedThrough
  /** Accounts that are still to be looked through, the one under way first. */
  left: AccountLeft[]
}

interface AccountLeft extends SubmissionsUnderWay {
  row: number
  /** `false`: only for refused submissions beyond its limit. */
  isSwept: boolean
}

export const retentionBegin = (): RetentionProgress => ({
  sweptAtMs: null,
  restedAtMs: null,
  checkedTo: 0,
  lookedThrough: new Map(),
  left: [],
})

/**
 * Retention in steps (contract section 8): at its start and then every hour it looks through all accounts for what they
 * keep no longer, by index, and deletes it with what was made of it, a few records in each transaction. Roll-ups stay.
 *
 * Its time is that up to which records were processed: what waits finds all that was there when it was received, so that
 * it makes the same persons and figures as if it had not waited.
 */
export class RetentionSteps {
  /** What is found of the account under way. */
  private found: Generator<number[], undefined> | null = null
  private waiting: number[] = []
  private readonly removal: ExpiredRemoval
  private readonly keptMax: number
  private readonly progress: RetentionProgress

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    { keptMax = refusedKeptMax, progress = retentionBegin() }: RetentionOptions = {},
  ) {
    this.progress = progress
    this.removal = new ExpiredRemoval(connection)
    this.keptMax = keptMax
  }

  /** Whether it has come to no end for so long that it is not to wait any longer until nothing is processed. */
  isOverdue(): boolean {
    const nowMs = this.clock.monotonicMs()
    this.progress.restedAtMs ??= nowMs
    return nowMs - this.progress.restedAtMs >= waitsMsMax
  }

  /**
   * Goes on for about so many milliseconds; answers whether more waits.
   *
   * @throws SQLiteError when the disk or a lock prevents it; then nothing of the step was deleted.
   */
  run(msMax: number): 'more' | 'done' {
    const deadlineMs = this.clock.monotonicMs() + msMax
    if (this.progress.left.length === 0) this.progress.left = this.due()
    while (this.progress.left.length > 0) {
      if (this.waiting.length === 0) this.waiting = this.nextFound()
      if (this.waiting.length > 0) this.waiting = this.waiting.slice(this.remove(this.waiting, deadlineMs))
      if (this.clock.monotonicMs() >= deadlineMs) return 'more'
    }
    this.progress.restedAtMs = this.clock.monotonicMs()
    return 'done'
  }

  /** An account is done with when all that was found of it has been deleted. */
  private nextFound(): number[] {
    const [account] = this.progress.left
    if (account === undefined) return []
    const found = this.found ?? this.expired(account)
    // One that throws has ended: the account is looked through once more then.
    this.found = null
    const next = found.next()
    if (next.done === true) this.progress.left.shift()
    else this.found = found
    return next.value ?? []
  }

  private remove(sequences: readonly number[], deadlineMs: number): number {
    return this.connection.db.transaction(
      () => this.removal.remove(sequences, () => this.clock.monotonicMs() >= deadlineMs),
      { behavior: 'immediate' },
    )
  }

  private due(): AccountLeft[] {
    const { progress } = this
    const nowMs = this.clock.monotonicMs()
    const processedTo = this.processedTo()
    if (progress.sweptAtMs === null || nowMs - progress.sweptAtMs >= sweepEveryMs) {
      const rows = this.accountRows()
      progress.sweptAtMs = nowMs
      progress.checkedTo = processedTo
      return rows.map((row) => ({ row, isSwept: true, submissionsTo: 0 }))
    }
    if (processedTo - progress.checkedTo < recordsPerCheck) return []
    const rows = this.accountsThatRefused(progress.checkedTo)
    progress.checkedTo = processedTo
    return rows.map((row) => ({ row, isSwept: false, submissionsTo: 0 }))
  }

  private *expired(account: AccountLeft): Generator<number[], undefined> {
    const retention = account.isSwept ? this.retentionOf(account.row) : null
    if (retention !== null) {
      const cutoffs = retentionCutoffs(retention, this.now())
      const { lookedThrough } = this.progress
      yield* expiredRecords(this.connection, account.row, { ...cutoffs, lookedThrough, underWay: account })
    }
    yield* refusedBeyond(this.connection, account.row, this.keptMax)
  }

  /** While records wait, the time at which the oldest of them was received. */
  private now(): number {
    const waiting = this.connection.raw
      .query<{ receivedAt: number }, []>(
        `SELECT received_at AS receivedAt FROM ledger WHERE sequence > (SELECT cursor FROM processing)
         ORDER BY sequence LIMIT 1`,
      )
      .get()
    return Math.min(this.clock.now(), waiting?.receivedAt ?? Number.POSITIVE_INFINITY)
  }

  private accountRows(): number[] {
    return this.connection.raw
      .query<{ row: number }, []>('SELECT row FROM account WHERE removed_at IS NULL')
      .all()
      .map(({ row }) => row)
  }

  /** `null`: it has been removed since. */
  private retentionOf(accountRow: number): RetentionSettings | null {
    const found = this.connection.raw
      .query<{ retention: string | null }, [number]>(
        `SELECT settings ->> '$.retention' AS retention FROM account WHERE row = ? AND removed_at IS NULL`,
      )
      .get(accountRow)
    return found && { ...retentionByDefault, ...JSON.parse(found.retention ?? '{}') }
  }

  /** `NOT INDEXED`: the later ones are at the end of the table; SQLite would go through all there are, by account. */
  private accountsThatRefused(after: number): number[] {
    return this.connection.raw
      .query<{ row: number }, [number]>(
        `SELECT DISTINCT account_row AS row FROM submission_fact NOT INDEXED WHERE sequence > ? AND status = 'refused'`,
      )
      .all(after)
      .map(({ row }) => row)
  }

  private processedTo(): number {
    return this.connection.raw.query<{ cursor: number }, []>('SELECT cursor FROM processing').get()?.cursor ?? 0
  }
}
