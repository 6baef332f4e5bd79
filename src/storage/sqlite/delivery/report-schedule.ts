import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { type DueReport, dueReports } from '../../../delivery/report-due.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/id.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { account } from '../schema/account-schema.ts'
import { delivery, destination } from '../schema/delivery-schema.ts'
import { readBacklog } from '../steps/processing.ts'

/** How long a report waits for records of its period to be processed. After that, it says that some are missing. */
const patienceMs = 15 * 60_000

interface DueAtDestination extends DueReport {
  accountRow: number
  destinationRow: number
}

/** Puts due reports into the outbox, each once: an index holds a destination's periods. */
export class ReportSchedule {
  /** Since when a report waits for processing, by the monotonic clock. */
  private waitingSinceMs: number | null = null

  constructor(
    private readonly connection: Connection,
    private readonly reader: Connection,
    private readonly clock: Clock,
  ) {}

  async turn(): Promise<void> {
    const due = this.due(this.clock.now())
    if (due.length === 0 || this.mustWait(due)) return
    this.waitingSinceMs = null
    writeTransaction(this.connection, () => this.add(due))
  }

  private due(now: number): DueAtDestination[] {
    return this.destinations().flatMap(({ destinationRow, accountRow, definition, createdAt, settings }) => {
      if (definition.kind !== 'report') return []
      const { every } = definition
      const { timezone } = settings
      const lastPeriod = this.lastPeriod(destinationRow)
      const due = dueReports({ every, timezone }, { createdAt, lastPeriod, now })
      return due.map((report) => ({ ...report, destinationRow, accountRow }))
    })
  }

  /** Destinations that get something. What fell due while one was paused comes with its next turn. */
  private destinations() {
    return this.reader.db
      .select({
        destinationRow: destination.row,
        accountRow: destination.accountRow,
        definition: destination.definition,
        createdAt: destination.createdAt,
        settings: account.settings,
      })
      .from(destination)
      .innerJoin(account, eq(account.row, destination.accountRow))
      .where(and(isNull(destination.removedAt), isNull(destination.pausedAt), isNull(account.removedAt)))
      .all()
  }

  private lastPeriod(destinationRow: number): string | null {
    const last = this.reader.db
      .select({ period: delivery.period })
      .from(delivery)
      .where(and(eq(delivery.destinationRow, destinationRow), isNotNull(delivery.period)))
      .orderBy(desc(delivery.row))
      .limit(1)
      .get()
    return last?.period ?? null
  }

  /** A report needs all records of its period processed, but not later ones. */
  private mustWait(due: readonly DueReport[]): boolean {
    const { oldestReceivedAt } = readBacklog(this.reader)
    const latest = due.reduce((latest, { dueAt }) => Math.max(latest, dueAt), 0)
    if (oldestReceivedAt === null || oldestReceivedAt >= latest) return false
    const nowMs = this.clock.monotonicMs()
    this.waitingSinceMs ??= nowMs
    return nowMs - this.waitingSinceMs < patienceMs
  }

  private add(due: readonly DueAtDestination[]): void {
    const now = this.clock.now()
    const rows = due.map(({ dueAt, ...report }) => ({
      ...report,
      id: newId(),
      state: 'waiting' as const,
      createdAt: dueAt,
      nextAt: now,
    }))
    this.connection.db.insert(delivery).values(rows).onConflictDoNothing().run()
  }
}
