import { readFileSync } from 'node:fs'
import type { LedgerEntry } from '../../../src/ledger/decision.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import type { ErasureQuery } from '../../../src/processing/erasure.ts'
import type { Connection } from '../../../src/storage/sqlite/database/connection.ts'
import { DatabaseFile } from '../../../src/storage/sqlite/forgetting/database-file.ts'
import { SqliteErasure } from '../../../src/storage/sqlite/forgetting/erasure.ts'
import { Retention } from '../../../src/storage/sqlite/forgetting/retention.ts'
import { Folding } from '../../../src/storage/sqlite/processing/folding.ts'
import { Refolding } from '../../../src/storage/sqlite/refolding/refolding.ts'
import { SqliteProcessing } from '../../../src/storage/sqlite/steps/processing.ts'
import { ProcessingSteps } from '../../../src/storage/sqlite/steps/step.ts'
import { sampleGoals } from '../../processing/goals/sample-goals.ts'
import { allowDeletion } from './allow-deletion.ts'
import { storeEntries } from './stored-entries.ts'
import { TemporaryDatabase } from './temporary-database.ts'

const dayMs = 86_400_000
/** More steps than any test needs. */
const stepsMax = 100_000

/** A real database of two accounts, `account-a` and `account-b`, in which persons are erased. */
export class AForgettingBox implements AsyncDisposable {
  readonly database: TemporaryDatabase
  readonly connection: Connection
  readonly erasure: SqliteErasure

  /** @param content of another box, from which this one begins */
  constructor(clock: Clock = systemClock, content?: Uint8Array) {
    this.database = new TemporaryDatabase(content)
    this.connection = this.database.connect()
    const file = new DatabaseFile(this.database.file)
    this.database.onClose(() => file.close())
    this.erasure = new SqliteErasure(
      this.connection,
      file,
      clock,
      new SqliteProcessing(this.connection, systemClock, () => false),
    )
    if (content !== undefined) return
    for (const id of ['account-a', 'account-b']) this.database.addAccount(id, 'UTC', sampleGoals)
  }

  /** Stores the entries in this order and processes them. */
  capture(...entries: LedgerEntry[]): void {
    if (entries.length > 0) storeEntries(this.database.file, entries)
    const steps = new ProcessingSteps(this.connection, systemClock)
    for (let step = 0; steps.run(1000) === 'more'; step++) if (step > stepsMax) throw new Error('it never ends')
  }

  erase(email: string, query: Partial<ErasureQuery> = {}) {
    return this.erasure.erase({ accountId: 'account-a', email, recipients: [], ...query })
  }

  /** Makes anew what is stale, as whoever processes next would. */
  refold(): void {
    const refolding = new Refolding({
      connection: this.connection,
      clock: systemClock,
      folding: new Folding(this.connection),
      onGivenUp: (reason) => {
        throw new Error(reason)
      },
    })
    for (let step = 0; refolding.run(1000) === 'more'; step++) if (step > stepsMax) throw new Error('it never ends')
  }

  /** Lets events, page views and clicks of `account-a` expire that were received before; submissions never do. */
  expire(before: number): void {
    this.connection.raw.run(
      `UPDATE account SET settings = json_set(settings, '$.retention', json(?)) WHERE id = 'account-a'`,
      [JSON.stringify({ submissionsDays: null, eventsDays: 1, refusedDays: 3650 })],
    )
    this.sweep(before + dayMs)
  }

  /** Runs a sweep of retention at an instant, by the terms that the accounts have. */
  sweep(now: number, { msMax = 1000, keptMax }: { msMax?: number; keptMax?: number | undefined } = {}): void {
    const clock = { now: () => now, monotonicMs: systemClock.monotonicMs }
    const retention = new Retention(clock, () => {}, keptMax)
    allowDeletion(this.connection, now)
    for (let step = 0; retention.run(this.connection, msMax) === 'more'; step++)
      if (step > stepsMax) throw new Error('it never ends')
    this.refold()
  }

  /** Ids of the records that the ledger still holds, and of their releases, in its order. */
  ids(): string[] {
    return this.rows<{ id: string }>('SELECT id FROM ledger WHERE kind <> 6 ORDER BY sequence').map(({ id }) => id)
  }

  rows<Row>(sql: string): Row[] {
    return this.connection.raw.query<Row, []>(sql).all()
  }

  /** How many rows a table has; of the ledger, how many records and releases. */
  count(table: string): number {
    if (table === 'ledger') return this.ids().length
    return this.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n ?? -1
  }

  /** How much still waits to be derived again. */
  staleMarks(): number {
    const tables = ['stale_device', 'erased_time', 'stale_repeat', 'stale_burst', 'stale_day']
    return tables.reduce((sum, table) => sum + this.count(table), 0)
  }

  /** What another box can begin from. */
  content(): Uint8Array {
    this.rows('PRAGMA wal_checkpoint(TRUNCATE)')
    return readFileSync(this.database.file)
  }

  /** The bytes of the database and of its log, one character each. */
  bytes(): string {
    return ['', '-wal', '-shm'].map((end) => readFileSync(this.database.file + end).toString('latin1')).join('')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.database[Symbol.asyncDispose]()
  }
}
