import { asc, count, eq, sql } from 'drizzle-orm'
import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { ledger } from '../ledger/ledger-schema.ts'
import { unlessDamaged } from '../salvage/damage.ts'
import { submissionFact } from './fact-schema.ts'
import { faultReason, isStorageFault } from './fault-reason.ts'
import type { FoldedRow, Folding } from './folding.ts'
import { setAside } from './schema.ts'

interface ReleasedRow {
  entry: FoldedRow
  releasedAt: number | null
}

interface WaitingReleasesOptions {
  connection: Connection
  clock: Clock
  folding: Folding
  /** Told why one was set aside. */
  onSetAside: (reason: string) => void
}

/** Written out: a partial index is not used for a parameter. */
const waits = sql`${submissionFact.releaseWaits} = 1`

/** How many released submissions wait to be processed. */
export const countWaitingReleases = ({ db }: Pick<Connection, 'db'>): number =>
  unlessDamaged(
    () =>
      db
        .select({ count: count() })
        .from(submissionFact)
        .innerJoin(ledger, eq(ledger.sequence, submissionFact.sequence))
        .where(waits)
        .get()?.count ?? 0,
    () => db.select({ count: count() }).from(submissionFact).where(waits).get()?.count ?? 0,
  )

/**
 * Refused submissions that an operator has released, processed as if they had been accepted then. Each is a transaction
 * of its own that also says that it waits no more: so it counts once, whoever processes it and whenever that is killed.
 */
export class WaitingReleases {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(private readonly options: WaitingReleasesOptions) {
    this.statements = prepareStatements(options.connection)
  }

  /**
   * Processes one; answers whether there was one.
   *
   * @throws SQLiteError when the disk or a lock prevents it; then nothing of it was stored.
   */
  processNext(): boolean {
    // Looked at before the write lock is taken: there is hardly ever one.
    const isAny = unlessDamaged(
      () => this.statements.next.get() !== undefined,
      (error) => {
        this.setUnreadableAside(faultReason(error))
        return null
      },
    )
    if (isAny !== true) return isAny === null
    let tried: ReleasedRow | undefined
    try {
      this.exclusively(() => {
        // Read again: somebody else may have come to the one that was seen before.
        tried = this.statements.next.get()
        if (tried !== undefined) this.process(tried)
      })
    } catch (error) {
      if (isStorageFault(error) || tried === undefined) throw error
      const { entry } = tried
      const reason = faultReason(error)
      this.exclusively(() => this.setAside(entry, reason))
      this.options.onSetAside(reason)
    }
    return true
  }

  private process(released: ReleasedRow): void {
    const { folding } = this.options
    this.settle(released)
    const fold = folding.begin()
    const item = folding.item(released.entry)
    if (item === null) return
    if (released.releasedAt === null) throw new TypeError('no released submission')
    fold.release(item, released.releasedAt)
    fold.keep()
  }

  private setAside(entry: Pick<ReleasedRow['entry'], 'sequence' | 'accountRow'>, reason: string): void {
    const { connection, clock } = this.options
    const { sequence, accountRow } = entry
    connection.db.insert(setAside).values({ sequence, accountRow, reason, at: clock.now() }).onConflictDoNothing().run()
    this.settle({ entry })
  }

  /** The first, whose submission cannot be read. */
  private setUnreadableAside(reason: string): void {
    const { sequence, accountRow } = submissionFact
    const { db } = this.options.connection
    const first = db.select({ sequence, accountRow }).from(submissionFact).where(waits).orderBy(asc(sequence)).get()
    if (first === undefined) return
    this.exclusively(() => this.setAside(first, reason))
    this.options.onSetAside(reason)
  }

  private settle({ entry }: { entry: { sequence: number } }): void {
    this.statements.settle.run({ sequence: entry.sequence })
  }

  private exclusively(work: () => void): void {
    this.options.connection.db.transaction(work, { behavior: 'immediate' })
  }
}

function prepareStatements({ db }: Connection) {
  return {
    next: db
      .select({ entry: ledger, releasedAt: submissionFact.releasedAt })
      .from(submissionFact)
      .innerJoin(ledger, eq(ledger.sequence, submissionFact.sequence))
      .where(waits)
      .orderBy(asc(submissionFact.sequence))
      .limit(1)
      .prepare(),
    settle: db
      .update(submissionFact)
      .set({ releaseWaits: false })
      .where(eq(submissionFact.sequence, sql.placeholder('sequence')))
      .prepare(),
  }
}
