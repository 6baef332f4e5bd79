import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { entryColumns } from '../ledger/ledger-codec.ts'
import { faultReason, isStorageFault } from './fault-reason.ts'
import type { FoldedRow, Folding } from './folding.ts'
import type { WorkMark } from './work-mark.ts'

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
