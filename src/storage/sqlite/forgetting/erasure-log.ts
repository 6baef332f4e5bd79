import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/id.ts'
import type { Connection } from '../database/connection.ts'

/** Who is erased. */
export interface ErasedPerson {
  accountId: string
  /** `null`: nobody is known by the address. */
  personId: string | null
}

/**
 * Keeps what one erasure takes, by ids alone. Each record is noted in the transaction that removes it, so that the log
 * is right after an interruption too; an erasure that finds nothing leaves no row.
 */
export class LoggedErasure {
  private row: number | null = null

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly erased: ErasedPerson,
  ) {
    if (erased.personId !== null) this.row = this.interruptedRow(erased.accountId, erased.personId) ?? this.begin()
  }

  /** Call in the transaction that removes the record. */
  note(sequence: number, recordId: string): void {
    this.row ??= this.begin()
    this.connection.raw
      .query<unknown, [number, number, string]>(
        'INSERT OR IGNORE INTO erased_record (erasure_row, sequence, record_id) VALUES (?, ?, ?)',
      )
      .run(this.row, sequence, recordId)
  }

  /** Runs a transaction that may note records: what one that fails has begun is not there. */
  within<T>(transaction: () => T): T {
    const before = this.row
    try {
      return transaction()
    } catch (error) {
      this.row = before
      throw error
    }
  }

  /** Everything found has been taken. */
  end(): void {
    if (this.row === null) return
    this.connection.raw
      .query<unknown, [number, number]>('UPDATE erasure SET ended_at = ? WHERE row = ?')
      .run(this.clock.now(), this.row)
  }

  /** An interrupted erasure and the run that finishes it are one. */
  private interruptedRow(accountId: string, personId: string): number | null {
    const found = this.connection.raw
      .query<{ row: number }, [string, string]>(
        'SELECT row FROM erasure WHERE account_id = ? AND person_id = ? AND ended_at IS NULL',
      )
      .get(accountId, personId)
    return found?.row ?? null
  }

  private begin(): number {
    const { accountId, personId } = this.erased
    const made = this.connection.raw
      .query<{ row: number }, [string, string, string | null, number]>(
        'INSERT INTO erasure (id, account_id, person_id, begun_at) VALUES (?, ?, ?, ?) RETURNING row',
      )
      .get(newId(), accountId, personId, this.clock.now())
    if (made === null) throw new Error('the erasure could not be noted')
    return made.row
  }
}
