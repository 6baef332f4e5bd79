import { eq } from 'drizzle-orm'
import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { type DamagedStretch, damagedStretch } from '../salvage/damaged-stretch.ts'
import type { StoredRow } from '../salvage/ledger-row.ts'
import { processing, setAside } from '../schema/processing-schema.ts'
import { faultReason, isStorageFault } from './fault-reason.ts'
import type { Folding } from './folding.ts'
import type { WorkMark } from './work-mark.ts'

interface ObstaclesOptions {
  connection: Connection
  clock: Clock
  folding: Folding
  mark: WorkMark
  /** Called with the reason why an entry was set aside. */
  onSetAside: (reason: string) => void
}

/**
 * What processing cannot get past: entries that fail, and unreadable places of the ledger. They are set aside, to be
 * retried by the next service, and the cursor moves past them.
 */
export class Obstacles {
  constructor(private readonly options: ObstaclesOptions) {}

  /**
   * Sets aside what is unreadable directly after `begin`; if nothing is, processes the first entry alone.
   *
   * @throws `error` if nothing shows what is there
   */
  unreadable(begin: number, error: unknown): void {
    const { to, passed, next } = damagedStretch(this.options.connection, begin)
    if (to > begin) this.passOver(begin, { to, passed, reason: faultReason(error) })
    else if (next !== null) this.take(begin, next)
    else throw error
  }

  private passOver(begin: number, { to, passed, reason }: Omit<DamagedStretch, 'next'> & { reason: string }): void {
    const { clock, onSetAside } = this.options
    const at = clock.now()
    const isOurs = this.movingFrom(begin, to, () => {
      for (const { sequence, accountRow } of passed) this.setAside({ sequence, accountRow, reason, at })
    })
    if (isOurs) for (const _ of passed) onSetAside(reason)
  }

  private take(begin: number, row: StoredRow): void {
    try {
      this.options.mark.begin(row.sequence)
      this.movingFrom(begin, row.sequence, () => this.options.folding.one(row))
    } catch (error) {
      if (isStorageFault(error)) throw error
      this.entry(begin, row, error)
    }
  }

  /** Sets aside the first entry after `begin`. */
  entry(begin: number, { sequence, accountRow }: { sequence: number; accountRow: number }, error: unknown): void {
    const { clock, onSetAside } = this.options
    const reason = faultReason(error)
    const isOurs = this.movingFrom(begin, sequence, () =>
      this.setAside({ sequence, accountRow, reason, at: clock.now() }),
    )
    if (isOurs) onSetAside(reason)
  }

  /** Whether it was done: somebody else may have moved the cursor meanwhile. */
  private movingFrom(begin: number, to: number, work: () => void): boolean {
    const { db } = this.options.connection
    return writeTransaction({ db }, () => {
      const moved = db
        .update(processing)
        .set({ cursor: to })
        .where(eq(processing.cursor, begin))
        .returning({ cursor: processing.cursor })
        .all()
      if (moved.length === 0) return false
      work()
      return true
    })
  }

  private setAside(row: typeof setAside.$inferInsert): void {
    this.options.connection.db.insert(setAside).values(row).onConflictDoNothing().run()
  }
}
