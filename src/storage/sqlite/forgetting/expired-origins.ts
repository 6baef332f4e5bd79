import { hasExpired } from '../../../processing/refolding/device-base.ts'
import type { SubmissionOrigin } from '../../../processing/submissions/submission-fact.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import type { Interval } from '../persons/intervals.ts'
import { DayFigures } from '../refolding/day-figures.ts'
import { SubmissionOrigins } from '../refolding/submission-origins.ts'

/** Submissions read, and changed at most, in one transaction. */
const submissionsPerStep = 50

/** Whether what happened at that time, epoch milliseconds, is erased. */
type IsErased = (at: number) => boolean

/**
 * What records told about others' submissions before they expired. Only the submissions still know, so no refold can
 * tell that it came from the erased person.
 */
export class ExpiredOrigins {
  private readonly origins: SubmissionOrigins
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(private readonly connection: Connection) {
    this.origins = new SubmissionOrigins(connection, new DayFigures(connection))
    this.statements = prepareStatements(connection)
  }

  /** Forgets what was told while the devices were the person's. Call while the ties that show this still exist. */
  async forget(intervals: readonly Interval[]): Promise<void> {
    for (const [deviceRow, own] of Map.groupBy(intervals, (interval) => interval.deviceRow)) {
      const expiredAt = this.expiredAt(deviceRow)
      if (expiredAt === null || own.every(({ from }) => from !== null && from.at > expiredAt)) continue
      const isErased = (at: number) => at <= expiredAt && own.some((interval) => isWithin(interval, at))
      for (let after = { receivedAt: -1, sequence: 0 }; ; ) {
        const rows = this.statements.page.all(deviceRow, after.receivedAt, after.sequence)
        const last = rows.at(-1)
        if (last === undefined) break
        after = last
        writeTransaction(this.connection, () => {
          for (const { sequence } of rows) this.cut(sequence, isErased)
        })
        await breath()
      }
      const pageAt = this.statements.device.get(deviceRow)?.pageAt ?? null
      if (pageAt !== null && isErased(pageAt)) this.statements.forgetPage.run(deviceRow, pageAt)
    }
  }

  /** Call in the transaction that ends the ties: afterwards nobody knows whose the expired records were. */
  forgetWhose(deviceRow: number, intervals: readonly Interval[]): void {
    const expiredAt = this.expiredAt(deviceRow)
    const [first] = intervals.filter((interval) => interval.deviceRow === deviceRow)
    if (expiredAt === null || first === undefined || first.from !== null) return
    if (first.until === null || expiredAt < first.until.at) this.statements.forgetExpired.run(deviceRow)
  }

  /**
   * Forgets what an erased record told, if it was received before others that have expired. Call in the erasing
   * transaction.
   */
  forgetRecord(deviceRow: number, receivedAt: number): void {
    if (!hasExpired({ expiredAt: this.expiredAt(deviceRow) }, receivedAt)) return
    for (const { sequence } of this.statements.behind.all(deviceRow, receivedAt)) {
      this.cut(sequence, (at) => at === receivedAt)
    }
  }

  private cut(sequence: number, isErased: IsErased): void {
    this.origins.change(sequence, (stored) => without(stored, isErased))
  }

  private expiredAt(deviceRow: number): number | null {
    return this.statements.device.get(deviceRow)?.expiredAt ?? null
  }
}

const isWithin = ({ from, until }: Interval, at: number): boolean =>
  (from === null || from.at <= at) && (until === null || at < until.at)

function without({ first, last, page }: SubmissionOrigin, isErased: IsErased): SubmissionOrigin {
  const left = (touch: SubmissionOrigin['first']) => (touch !== null && isErased(Date.parse(touch.at)) ? null : touch)
  return { first: left(first), last: left(last) ?? left(first), page: page !== null && isErased(page.at) ? null : page }
}

function prepareStatements({ raw }: Connection) {
  return {
    device: raw.query<{ expiredAt: number | null; pageAt: number | null }, [number]>(
      'SELECT expired_at AS expiredAt, page_at AS pageAt FROM device WHERE row = ?',
    ),
    page: raw.query<{ receivedAt: number; sequence: number }, [number, number, number]>(
      `SELECT received_at AS receivedAt, sequence FROM submission_fact
       WHERE device_row = ? AND (received_at, sequence) > (?, ?)
       ORDER BY received_at, sequence LIMIT ${submissionsPerStep}`,
    ),
    behind: raw.query<{ sequence: number }, [number, number]>(
      'SELECT sequence FROM submission_fact WHERE device_row = ? AND received_at >= ?',
    ),
    forgetPage: raw.query<null, [number, number]>(
      'UPDATE device SET page_at = NULL, page_slug = NULL, page_sha256 = NULL WHERE row = ? AND page_at = ?',
    ),
    forgetExpired: raw.query<null, [number]>('UPDATE device SET expired_at = NULL WHERE row = ?'),
  }
}
