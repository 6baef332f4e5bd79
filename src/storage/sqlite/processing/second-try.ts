import { and, asc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm'
import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { ledger } from '../ledger/ledger-schema.ts'
import { faultReason, isStorageFault } from './fault-reason.ts'
import type { Folding } from './folding.ts'
import { setAside } from './schema.ts'

interface SecondTryOptions {
  connection: Connection
  clock: Clock
  folding: Folding
  /** Epoch milliseconds: what was set aside before is tried. */
  before: number
}

/**
 * Entries that were set aside, each tried once more: by a service that has started since, whose program may be one that
 * can process them. Each is a transaction of its own; what fails again stays aside, as of now. They come later than what
 * was captured after them, which changes no person, since those follow the order of receipt.
 */
export class SecondTry {
  private sequence = 0
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(private readonly options: SecondTryOptions) {
    this.statements = prepareStatements(options.connection)
  }

  /**
   * Tries the next one; answers whether there was one.
   *
   * @throws SQLiteError when the disk or a lock prevents it; then nothing of it was stored.
   */
  tryNext(): boolean {
    const { before } = this.options
    const next = this.statements.next.get({ sequence: this.sequence, before })
    // The number of no entry: there is nothing more to look for.
    this.sequence = next?.sequence ?? Number.MAX_SAFE_INTEGER
    if (next === undefined) return false
    try {
      this.exclusively(() => this.process(next))
    } catch (error) {
      if (isStorageFault(error)) throw error
      this.keepAside(next, error)
    }
    return true
  }

  private process(tried: { sequence: number }): void {
    const row = this.statements.entry.get(tried)
    // Removed since it was seen.
    if (row === undefined) return
    this.statements.end.run(tried)
    this.options.folding.one(row)
  }

  private keepAside({ sequence }: { sequence: number }, error: unknown): void {
    const { clock, before } = this.options
    // Not before this start, whatever the clock says by now, so that it is tried once.
    const at = Math.max(clock.now(), before)
    this.statements.keep.run({ sequence, reason: faultReason(error), at })
  }

  private exclusively(work: () => void): void {
    this.options.connection.db.transaction(work, { behavior: 'immediate' })
  }
}

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  const isTried = eq(setAside.sequence, value('sequence'))
  return {
    next: db
      .select({ sequence: setAside.sequence })
      .from(setAside)
      .where(and(gt(setAside.sequence, value('sequence')), lt(setAside.at, value('before'))))
      .orderBy(asc(setAside.sequence))
      .limit(1)
      .prepare(),
    entry: db
      .select(getTableColumns(ledger))
      .from(ledger)
      .innerJoin(setAside, eq(setAside.sequence, ledger.sequence))
      .where(eq(ledger.sequence, value('sequence')))
      .prepare(),
    end: db.delete(setAside).where(isTried).prepare(),
    keep: db
      .update(setAside)
      .set({ reason: sql`${value('reason')}`, at: sql`${value('at')}` })
      .where(isTried)
      .prepare(),
  }
}
