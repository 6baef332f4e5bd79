import { type RetentionSettings, retentionByDefault } from '../../../account/account.ts'
import type { Clock } from '../../../lib/clock.ts'
import { refusedKeptMax, retentionCutoffs } from '../../../processing/retention.ts'
import type { Connection } from '../connection.ts'
import { expiredRecords, type LookedThrough, refusedBeyond } from './expired-records.ts'
import { ExpiredRemoval } from './expired-removal.ts'

/** Between two sweeps over everything. */
const sweepEveryMs = 60 * 60_000
/** So many later records, and the accounts that refused any of them are held to their limit before the next sweep. */
const recordsPerCheck = 2000

export interface RetentionOptions {
  /** Refused submissions that an account keeps at most. */
  keptMax?: number
}

/**
 * Retention in steps (contract section 8): at its start and then every hour it looks through all accounts for what they
 * keep no longer, by index, and deletes it with what was made of it, a few records in each transaction. Roll-ups stay.
 */
export class RetentionSteps {
  private sweep: Generator<number[]> | null = null
  private waiting: number[] = []
  private sweptAtMs: number | null = null
  /** The ledger's sequence up to which the limit of refused submissions was looked after. */
  private checkedTo = 0
  private readonly lookedThrough: LookedThrough = new Map()
  private readonly removal: ExpiredRemoval
  private readonly keptMax: number

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    { keptMax = refusedKeptMax }: RetentionOptions = {},
  ) {
    this.removal = new ExpiredRemoval(connection)
    this.keptMax = keptMax
  }

  /**
   * Goes on for about so many milliseconds; answers whether more waits.
   *
   * @throws SQLiteError when the disk or a lock prevents it; then nothing of the step was deleted.
   */
  run(msMax: number): 'more' | 'done' {
    const deadlineMs = this.clock.monotonicMs() + msMax
    this.sweep ??= this.due()
    while (this.sweep !== null) {
      if (this.waiting.length === 0) this.waiting = this.nextFound()
      if (this.waiting.length > 0) this.waiting = this.waiting.slice(this.remove(this.waiting, deadlineMs))
      if (this.clock.monotonicMs() >= deadlineMs) return 'more'
    }
    return 'done'
  }

  private nextFound(): number[] {
    const next = this.sweep?.next()
    if (next === undefined || next.done === true) {
      this.sweep = null
      return []
    }
    return next.value
  }

  private remove(sequences: readonly number[], deadlineMs: number): number {
    return this.connection.db.transaction(
      () => this.removal.remove(sequences, () => this.clock.monotonicMs() >= deadlineMs),
      { behavior: 'immediate' },
    )
  }

  private due(): Generator<number[]> | null {
    const nowMs = this.clock.monotonicMs()
    if (this.sweptAtMs === null || nowMs - this.sweptAtMs >= sweepEveryMs) {
      this.sweptAtMs = nowMs
      this.checkedTo = this.processedTo()
      return this.everything()
    }
    const processedTo = this.processedTo()
    if (processedTo - this.checkedTo < recordsPerCheck) return null
    const after = this.checkedTo
    this.checkedTo = processedTo
    return this.limits(this.accountsThatRefused(after))
  }

  private *everything(): Generator<number[]> {
    for (const { row, retention } of this.accounts()) {
      const cutoffs = retentionCutoffs(retention, this.clock.now())
      yield* expiredRecords(this.connection, row, { ...cutoffs, lookedThrough: this.lookedThrough })
      yield* refusedBeyond(this.connection, row, this.keptMax)
    }
  }

  private *limits(accountRows: number[]): Generator<number[]> {
    for (const row of accountRows) yield* refusedBeyond(this.connection, row, this.keptMax)
  }

  private accounts(): { row: number; retention: RetentionSettings }[] {
    return this.connection.raw
      .query<{ row: number; retention: string | null }, []>(
        `SELECT row, settings ->> '$.retention' AS retention FROM account WHERE removed_at IS NULL`,
      )
      .all()
      .map(({ row, retention }) => ({ row, retention: { ...retentionByDefault, ...JSON.parse(retention ?? '{}') } }))
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
