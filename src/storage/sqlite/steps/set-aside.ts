import { eq } from 'drizzle-orm'
import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { type DamagedStretch, damagedStretch } from '../ledger/damaged-stretch.ts'
import { entryColumns, type StoredRow } from '../ledger/ledger-codec.ts'
import { faultReason, isStorageFault } from '../processing/fault-reason.ts'
import type { FoldedRow, Folding } from '../processing/folding.ts'
import { processing, setAside } from '../schema/processing-schema.ts'
import type { WorkMark } from './slow-entries.ts'

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

interface SecondTryOptions {
  connection: Connection
  clock: Clock
  folding: Folding
  mark: WorkMark
  /** Of the program. What took too long in it is not retried: it would every time. */
  version: string
  /** Epoch milliseconds: entries set aside before are retried. */
  before: number
}

/**
 * Entries that were set aside, each retried once by a service that started later, whose program may be able to process
 * them. Each is a transaction of its own; what fails again stays set aside, with the new time. They are processed after
 * entries that were captured later, which changes no person, since persons follow the order of receipt. What took too
 * long waits for another version.
 */
export class SecondTry {
  private sequence = 0
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(private readonly options: SecondTryOptions) {
    this.statements = prepareStatements(options.connection)
  }

  /**
   * Retries the next one; returns whether there was one.
   *
   * @throws SQLiteError when the disk or a lock prevents it; then nothing was stored
   */
  tryNext(): boolean {
    const { before, version, mark } = this.options
    const next = this.statements.next.get(this.sequence, before, version)
    // Beyond every entry: there is nothing more to look for.
    this.sequence = next?.sequence ?? Number.MAX_SAFE_INTEGER
    if (next === null) return false
    mark.begin(next.sequence)
    try {
      writeTransaction(this.options.connection, () => this.process(next))
    } catch (error) {
      if (isStorageFault(error)) throw error
      this.keepAside(next, error)
    }
    return true
  }

  private process({ sequence }: { sequence: number }): void {
    const row = this.statements.entry.get(sequence)
    // Removed meanwhile.
    if (row === null) return
    this.statements.end.run(sequence)
    this.options.folding.one(row)
  }

  private keepAside({ sequence }: { sequence: number }, error: unknown): void {
    const { clock, before } = this.options
    // Not before this start, whatever the clock says by now, so that it is retried once.
    const at = Math.max(clock.now(), before)
    this.statements.keep.run(faultReason(error), at, sequence)
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    next: raw.query<{ sequence: number }, [number, number, string]>(
      `SELECT sequence FROM set_aside WHERE sequence > ? AND at < ? AND slow_in IS NOT ?
       ORDER BY sequence LIMIT 1`,
    ),
    entry: raw.query<FoldedRow, [number]>(
      `SELECT ${entryColumns} FROM ledger
       WHERE sequence = ?1 AND EXISTS (SELECT 1 FROM set_aside WHERE sequence = ?1)`,
    ),
    end: raw.query<null, [number]>('DELETE FROM set_aside WHERE sequence = ?'),
    keep: raw.query<null, [string, number, number]>(
      'UPDATE set_aside SET reason = ?, at = ?, slow_in = NULL WHERE sequence = ?',
    ),
  }
}
