import { expiredOf, originWithout } from '../../../processing/forgetting/expired-origin.ts'
import { hasExpired } from '../../../processing/refolding/device-base.ts'
import { correctOrigin } from '../../../processing/submissions/change-origin.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import type { Interval } from '../persons/intervals.ts'
import type { Folding } from '../processing/folding.ts'
import { type Correction, correct } from '../refolding/correct.ts'
import type { RemovedEntry } from './entry-removal.ts'

/** Submissions read, and changed at most, in one transaction. */
const submissionsPerStep = 50

/** Whether what happened at that time, epoch milliseconds, is erased. */
type IsErased = (at: number) => boolean

/** What records told about others' submissions before they expired. */
export class ExpiredOrigins {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    private readonly connection: Connection,
    private readonly folding: Folding,
  ) {
    this.statements = prepareStatements(connection)
  }

  /** Forgets what was told while the devices were the person's. Call while the ties that show this still exist. */
  async forget(accountRow: number, intervals: readonly Interval[]): Promise<void> {
    for (const [deviceRow, own] of Map.groupBy(intervals, (interval) => interval.deviceRow)) {
      const device = this.statements.device.get(deviceRow)
      const isErased = device && expiredOf(own, device)
      if (isErased === null) continue
      for (let after = { receivedAt: -1, sequence: 0 }; ; await breath()) {
        const rows = this.statements.page.all(deviceRow, after.receivedAt, after.sequence)
        const last = rows.at(-1)
        if (last === undefined) break
        after = last
        writeTransaction(this.connection, () =>
          correct(this.folding, accountRow, (correction) => this.cut(rows, isErased, correction)),
        )
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

  /** Forgets what erased records told, if they were received before others that have expired. */
  forgetRecords(removed: readonly RemovedEntry[], correction: Correction): void {
    // Submissions never say where a visit came from.
    const hits = removed.filter(({ kind, deviceRow }) => kind !== entryKinds.submission && deviceRow !== null)
    for (const [deviceRow, own] of Map.groupBy(hits, (hit) => hit.deviceRow ?? 0)) {
      const base = { expiredAt: this.expiredAt(deviceRow) }
      const times = new Set(own.map(({ receivedAt }) => receivedAt).filter((at) => hasExpired(base, at)))
      if (times.size === 0) continue
      this.cut(this.statements.behind.all(deviceRow, Math.min(...times)), (at) => times.has(at), correction)
    }
  }

  private cut(rows: readonly { sequence: number }[], isErased: IsErased, { accountId, state }: Correction): void {
    for (const { sequence } of rows) {
      const submission = this.folding.store.submissions.one(sequence)
      const changed = (origin: Parameters<typeof originWithout>[0]) => originWithout(origin, isErased)
      if (submission !== null) correctOrigin(accountId, submission, { changed, state })
    }
  }

  private expiredAt(deviceRow: number): number | null {
    return this.statements.device.get(deviceRow)?.expiredAt ?? null
  }
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
