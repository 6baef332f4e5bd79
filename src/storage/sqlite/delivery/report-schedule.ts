import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { AccountSettings } from '../../../account/account.ts'
import type { Destination } from '../../../account/destination.ts'
import { type DueReport, dueReports } from '../../../delivery/report-due.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/id.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { delivery } from '../schema/delivery-schema.ts'
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

  /** Destinations that get something and can be read. What fell due while one was paused comes with its next turn. */
  private destinations() {
    return this.reader.raw
      .query<Omit<DueAtDestination, keyof DueReport> & { createdAt: number; definition: string; settings: string }, []>(
        `SELECT destination.row AS destinationRow, account_row AS accountRow, destination.created_at AS createdAt, definition, settings
         FROM destination JOIN account ON account.row = account_row
         WHERE destination.removed_at IS NULL AND paused_at IS NULL AND account.removed_at IS NULL
           AND json_valid(definition) AND json_valid(settings)`,
      )
      .all()
      .map(({ definition, settings, ...row }) => ({
        ...row,
        definition: storedJson<Destination>(definition),
        settings: storedJson<AccountSettings>(settings),
      }))
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
