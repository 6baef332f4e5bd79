import { and, asc, count, desc, eq, gt, ne } from 'drizzle-orm'
import type { Clock } from '../../../lib/clock.ts'
import type { Processing, ProcessingReport, SetAside } from '../../../processing/processing.ts'
import type { Connection } from '../database/connection.ts'
import { unlessDamaged } from '../database/damage.ts'
import { newestNumber } from '../ledger/damaged-stretch.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import { countStale } from '../refolding/stale-kind.ts'
import { account } from '../schema/account-schema.ts'
import { ledger } from '../schema/ledger-schema.ts'
import { processing, setAside } from '../schema/processing-schema.ts'
import type { ProcessingSteps } from './step.ts'

/** How long steps take, and for how long others find the write lock free between them, in milliseconds. */
interface Pace {
  stepMs: number
  pauseMs: number
}

/** Commands may hold the lock for 20 ms: this leaves room for a slow disk, and one look in four finds the lock free. */
const alone: Pace = { stepMs: 10, pauseMs: 4 }
/** A server's captures wait for the lock too, and it processes by itself, so little is left to do. */
const besideServer: Pace = { stepMs: 2, pauseMs: 10 }

/** So long does a server's processing stand still before a command takes over, in milliseconds. */
const standstillMsMax = 2000

/**
 * Processing by a command, or by the console. Beside a server it waits: only the server's own thread is watched, so that
 * a record that takes too long is set aside there and never holds the write lock here (docs/decisions/0074).
 */
export class SqliteProcessing implements Processing {
  private steps: ProcessingSteps | null = null
  /** What the server had done when it was last seen to move on. */
  private seen = { waiting: -1, cursor: -1, atMs: 0 }

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly isServed: () => boolean,
  ) {}

  async catchUp(msMax: number): Promise<number> {
    if (this.waiting() === 0) return 0
    const { stepMs, pauseMs } = this.isServed() ? besideServer : alone
    const steps = await this.prepared()
    // A busy machine may take seconds to load the steps: that is not the time for running them.
    const deadlineMs = this.clock.monotonicMs() + msMax
    while (this.clock.monotonicMs() < deadlineMs && !this.isDone(steps, stepMs)) await Bun.sleep(pauseMs)
    return this.waiting()
  }

  /** Leaves a server its turn, or takes a step. */
  private isDone(steps: ProcessingSteps, stepMs: number): boolean {
    if (this.isServed() && this.isServerMoving()) return this.waiting() === 0
    const outcome = steps.run(stepMs)
    // Our own step is no sign that the server moves.
    this.seen = { ...this.seen, ...readWaiting(this.connection) }
    return outcome === 'done'
  }

  private isServerMoving(): boolean {
    const { waiting, cursor } = readWaiting(this.connection)
    const nowMs = this.clock.monotonicMs()
    const moved = waiting !== this.seen.waiting || cursor !== this.seen.cursor
    if (moved) this.seen = { waiting, cursor, atMs: nowMs }
    return nowMs - this.seen.atMs < standstillMsMax
  }

  /** Loaded and prepared on demand: for most commands nothing waits, since a server's thread has processed it. */
  private async prepared(): Promise<ProcessingSteps> {
    const { ProcessingSteps } = await import('./step.ts')
    this.steps ??= new ProcessingSteps(this.connection, this.clock)
    return this.steps
  }

  async state(): Promise<ProcessingReport> {
    return readBacklog(this.connection)
  }

  private waiting(): number {
    return readWaiting(this.connection).waiting
  }
}

/** What waits to be processed and what was set aside. Works on a read-only connection. */
export function readBacklog(connection: Connection): ProcessingReport {
  const { db } = connection
  const { waiting, cursor } = readWaiting(connection)
  const latest = db.select().from(setAside).orderBy(desc(setAside.sequence)).limit(1).get()
  const counted = db.select({ count: count() }).from(setAside).get()
  return {
    waiting,
    oldestReceivedAt: unlessDamaged(
      () => oldestReceivedAt(connection, cursor),
      () => null,
    ),
    setAside: { count: counted?.count ?? 0, latest: latest === undefined ? null : described(connection, latest) },
  }
}

function described({ db }: Connection, row: typeof setAside.$inferSelect): SetAside {
  const find = () =>
    db
      .select({ account: account.handle, id: ledger.id })
      .from(ledger)
      .innerJoin(account, eq(account.row, ledger.accountRow))
      .where(eq(ledger.sequence, row.sequence))
      .get()
  const entry = unlessDamaged(find, () => undefined) ?? null
  return { reason: row.reason, at: row.at, entry, tookTooLong: row.slowIn !== null }
}

/**
 * How many entries and stale keys wait. The difference of sequence numbers is used instead of a count, so it includes
 * deleted entries.
 */
export function readWaiting(connection: Connection): { waiting: number; cursor: number } {
  const { db } = connection
  const cursor = db.select({ cursor: processing.cursor }).from(processing).get()?.cursor ?? 0
  return { waiting: Math.max(0, newestNumber(connection) - cursor) + countStale(connection), cursor }
}

/** Receipt of the first entry behind the cursor with something to process, epoch milliseconds; `null`: none. */
const oldestReceivedAt = ({ db }: Connection, cursor: number): number | null =>
  db
    .select({ receivedAt: ledger.receivedAt })
    .from(ledger)
    .where(and(gt(ledger.sequence, cursor), ne(ledger.kind, decisionKinds.erasure)))
    .orderBy(asc(ledger.sequence))
    .limit(1)
    .get()?.receivedAt ?? null
