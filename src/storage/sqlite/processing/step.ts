import { SQLiteError } from 'bun:sqlite'
import { asc, gt } from 'drizzle-orm'
import type { Clock } from '../../../lib/clock.ts'
import { processEntry } from '../../../processing/process-entry.ts'
import type { Connection } from '../connection.ts'
import { decodeEntry, type EntryRow } from '../ledger-codec.ts'
import { ledger } from '../schema.ts'
import { ProcessedAccounts } from './processed-accounts.ts'
import { processing, setAside } from './schema.ts'
import { SqliteProcessingState } from './state.ts'

const reasonCharactersMax = 200
/** Rows read at a time. */
const pageRows = 64

interface LedgerEntryRow extends EntryRow {
  sequence: number
  accountRow: number
}

/** An entry that cannot be processed, whatever is tried. */
class Poison extends Error {
  constructor(
    readonly row: LedgerEntryRow,
    override readonly cause: unknown,
  ) {
    super('an entry cannot be processed')
  }
}

/**
 * Processing in steps: each is one transaction that begins where the last one ended, and moves the cursor with what it
 * changes. Whoever runs it, and however many do, each entry is processed once.
 */
export class ProcessingSteps {
  /** The one that the next step sets aside. */
  private poison: Poison | null = null
  private readonly accounts: ProcessedAccounts
  private readonly state: SqliteProcessingState

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {
    this.accounts = new ProcessedAccounts(connection)
    this.state = new SqliteProcessingState(connection)
  }

  /**
   * Processes what waits, for about so many milliseconds; answers whether more waits.
   *
   * @throws SQLiteError when nothing of the step was stored.
   */
  run(msMax: number): 'more' | 'done' {
    try {
      return this.connection.db.transaction(() => this.step(this.clock.monotonicMs() + msMax), {
        behavior: 'immediate',
      })
    } catch (error) {
      this.state.forget()
      if (!(error instanceof Poison)) throw error
      this.poison = error
      return 'more'
    }
  }

  private step(deadlineMs: number): 'more' | 'done' {
    const { db } = this.connection
    this.accounts.refresh()
    const begin = db.select({ cursor: processing.cursor }).from(processing).get()?.cursor ?? 0
    const { state } = this
    let cursor = begin
    let done = false
    while (!done && this.clock.monotonicMs() < deadlineMs) {
      const rows = db
        .select()
        .from(ledger)
        .where(gt(ledger.sequence, cursor))
        .orderBy(asc(ledger.sequence))
        .limit(pageRows)
        .all()
      done = rows.length < pageRows
      for (const row of rows) {
        this.process(row, state)
        cursor = row.sequence
        if (this.clock.monotonicMs() >= deadlineMs) break
      }
      done &&= cursor === (rows.at(-1)?.sequence ?? cursor)
    }
    if (cursor === begin) return 'done'
    state.flush()
    db.update(processing).set({ cursor }).run()
    return done ? 'done' : 'more'
  }

  private process(row: LedgerEntryRow, state: SqliteProcessingState): void {
    if (this.poison?.row.sequence === row.sequence) {
      this.setAside(row, this.poison.cause)
      return
    }
    const owner = this.accounts.find(row.accountRow)
    if (owner === null) return
    state.begin(row)
    try {
      processEntry(decodeEntry(row, owner.id), owner, state)
    } catch (error) {
      if (isStorageFault(error)) throw error
      throw new Poison(row, error)
    }
  }

  private setAside({ sequence, accountRow }: LedgerEntryRow, cause: unknown): void {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}`.slice(0, reasonCharactersMax) : 'unknown'
    this.connection.db
      .insert(setAside)
      .values({ sequence, accountRow, reason, at: this.clock.now() })
      .onConflictDoNothing()
      .run()
    this.poison = null
  }
}

/** SQLite's own errors are the disk's or the program's, never an entry's. */
const isStorageFault = (error: unknown): boolean => error instanceof SQLiteError
