import { count, desc, gt, max } from 'drizzle-orm'
import type { Clock } from '../../../lib/clock.ts'
import type { Processing, ProcessingReport } from '../../../processing/processing.ts'
import { breath } from '../breath.ts'
import type { Connection } from '../connection.ts'
import { ledger } from '../schema.ts'
import { processing, setAside } from './schema.ts'
import { ProcessingSteps } from './step.ts'

/** How long a step of a command may hold the write lock: 20 ms less what a slow disk adds. */
const stepMs = 8

/** Processing beside a running server, which may process the same ledger: whoever comes first. */
export class SqliteProcessing implements Processing {
  private readonly steps: ProcessingSteps

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {
    this.steps = new ProcessingSteps(connection, clock)
  }

  async catchUp(msMax: number): Promise<number> {
    const deadlineMs = this.clock.monotonicMs() + msMax
    while (this.waiting() > 0 && this.clock.monotonicMs() < deadlineMs) {
      if (this.steps.run(stepMs) === 'done') break
      await breath()
    }
    return this.waiting()
  }

  async state(): Promise<ProcessingReport> {
    const { db } = this.connection
    const latest = db
      .select({ reason: setAside.reason, at: setAside.at })
      .from(setAside)
      .orderBy(desc(setAside.sequence))
      .limit(1)
      .get()
    const counted = db.select({ count: count() }).from(setAside).get()
    return { waiting: this.waiting(), setAside: { count: counted?.count ?? 0, latest: latest ?? null } }
  }

  private waiting(): number {
    const { db } = this.connection
    const cursor = db.select({ cursor: processing.cursor }).from(processing).get()?.cursor ?? 0
    const newest =
      db
        .select({ sequence: max(ledger.sequence) })
        .from(ledger)
        .get()?.sequence ?? 0
    if (newest <= cursor) return 0
    return db.select({ count: count() }).from(ledger).where(gt(ledger.sequence, cursor)).get()?.count ?? 0
  }
}
