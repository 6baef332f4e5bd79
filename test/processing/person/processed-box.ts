import type { Entry, EntryKind } from '../../../src/ledger/entry.ts'
import type { LedgerRow } from '../../../src/ledger/ledger.ts'
import type { EntryFacts } from '../../../src/report/entry-facts.ts'
import type { KnownPerson } from '../../../src/report/person-reader.ts'
import { InlineCommitter } from '../../../src/storage/sqlite/commit/batch-transaction.ts'
import { GroupCommit } from '../../../src/storage/sqlite/commit/group-commit.ts'
import { SqliteLedger } from '../../../src/storage/sqlite/ledger/ledger.ts'
import { SqlitePersonReader } from '../../../src/storage/sqlite/persons/person-reader.ts'
import { SqliteFactReader } from '../../../src/storage/sqlite/report/fact-reader.ts'
import { ProcessingSteps } from '../../../src/storage/sqlite/steps/step.ts'
import { storeEntries } from '../../storage/sqlite/stored-entries.ts'
import { TemporaryDatabase } from '../../storage/sqlite/temporary-database.ts'

const rowsMax = 10_000
/** More steps than any test needs. */
const stepsMax = 100_000

/** A real database whose ledger is processed when a test says so. */
export class ProcessedBox implements AsyncDisposable {
  private readonly database = new TemporaryDatabase()
  private readonly connection = this.database.connect()
  private readonly reader = this.database.reader()
  private readonly steps: ProcessingSteps
  /** Each look at the clock is a millisecond, so that a step of N takes about N entries. */
  private looks = 0
  readonly persons = new SqlitePersonReader(this.reader)
  readonly facts = new SqliteFactReader(this.reader)

  constructor() {
    const clock = { now: () => 0, monotonicMs: () => this.looks++ }
    this.steps = new ProcessingSteps(this.connection, clock)
  }

  addAccount(id: string): void {
    this.database.addAccount(id)
  }

  /** Commits the entries in this order. */
  store(entries: readonly Entry[]): void {
    if (entries.length > 0) storeEntries(this.database.file, entries)
  }

  /** One step of about so many entries. */
  step(entries: number): void {
    this.steps.run(entries)
  }

  /** Processes all that waits. */
  finish(): void {
    for (let step = 0; this.steps.run(1000) === 'more'; step++) if (step > stepsMax) throw new Error('it never ends')
  }

  /** Stores and processes. */
  capture(...entries: Entry[]): void {
    this.store(entries)
    this.finish()
  }

  /** Changes what an operator or an erasure would have. */
  run(sql: string, ...values: (string | number)[]): void {
    this.connection.raw.run(sql, values)
  }

  async personsOf(accountId: string): Promise<KnownPerson[]> {
    const rows = await this.persons.page({ accountId, after: null, limit: rowsMax })
    return rows.map(({ person }) => person)
  }

  async person(email: string, accountId = 'account-a'): Promise<KnownPerson> {
    const person = await this.persons.named(accountId, email)
    if (person === null) throw new Error(`nobody is known as ${email}`)
    return person
  }

  /** The ids of a person's records, in the order in which they are read. */
  async recordIds(email: string, kinds: EntryKind[], accountId = 'account-a'): Promise<string[]> {
    const pages = await Array.fromAsync(this.persons.records({ accountId, email, kinds }))
    return pages.flat().map(({ entry }) => entry.id)
  }

  /** What is known of each of the account's entries, by its id. */
  async found(accountId = 'account-a'): Promise<Record<string, EntryFacts>> {
    const rows = await this.rows(accountId)
    const found = await this.facts.about(accountId, rows)
    return Object.fromEntries(rows.flatMap(({ entry }, index) => (found[index] ? [[entry.id, found[index]]] : [])))
  }

  private async rows(accountId: string): Promise<LedgerRow[]> {
    const committer = new InlineCommitter(this.database.file, { now: () => 0, monotonicMs: () => 0 })
    const ledger = new SqliteLedger(this.reader, new GroupCommit(committer, { now: () => 0, monotonicMs: () => 0 }))
    return ledger.readAfter({ accountId, after: null, limit: rowsMax })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database[Symbol.asyncDispose]()
  }
}
