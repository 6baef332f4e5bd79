import type { DecisionKind, LedgerEntry } from '../../../src/ledger/decision.ts'
import type { Submission } from '../../../src/ledger/entry.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { ReleaseOutcome } from '../../../src/processing/processing.ts'
import type { Connection } from '../../../src/storage/sqlite/database/connection.ts'
import { decisionKinds } from '../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { SqliteQuarantine } from '../../../src/storage/sqlite/processing/quarantine.ts'
import { SqliteSubmissionReader } from '../../../src/storage/sqlite/report/submission-reader.ts'
import { ProcessingSteps } from '../../../src/storage/sqlite/steps/step.ts'
import { submission } from '../../report/sample-entries.ts'
import { storeEntries } from '../../storage/sqlite/stored-entries.ts'
import { TemporaryDatabase } from '../../storage/sqlite/temporary-database.ts'

/** Noon, so that an hour more or less is the same day. */
export const noon = Date.UTC(2026, 10, 20, 12)
export const minuteMs = 60_000

/** What is stored of a submission beside its record. */
export interface Fact {
  id: string
  status: string
  released_at: number | null
  duplicate_of: string | null
  person: string | null
  first: string | null
  last: string | null
  page_slug: string | null
  lead_source: string | null
}

/** A submission with an identity, so many minutes after noon. */
export const sent = (minutes: number, overrides: Partial<Submission> = {}): Submission =>
  submission({ id: `at-${minutes}`, receivedAt: noon + minutes * minuteMs, ...overrides })

/** The same without an identity: only its device tells who sent it. */
export const anonymous = (minutes: number, overrides: Partial<Submission> = {}): Submission =>
  sent(minutes, { email: null, fields: { message: 'Hello' }, ...overrides })

export const refused = (minutes: number, overrides: Partial<Submission> = {}): Submission =>
  sent(minutes, { status: 'refused', refusedFor: 'bot_check', ...overrides })

/** A database with the accounts `account-a` and `account-b`, a ledger, and what processing makes of it. */
export class ProcessedLedger implements AsyncDisposable {
  readonly database = new TemporaryDatabase()
  readonly connection: Connection = this.database.connect()
  readonly submissions = new SqliteSubmissionReader(this.database.reader())
  private readonly quarantine = new SqliteQuarantine(this.connection, this.submissions)
  private readonly steps = this.newSteps()

  constructor(...entries: LedgerEntry[]) {
    for (const id of ['account-a', 'account-b']) this.database.addAccount(id)
    this.capture(...entries)
  }

  /** Stores the entries in this order, and processes what waits. */
  capture(...entries: LedgerEntry[]): void {
    this.store(...entries)
    this.process()
  }

  store(...entries: LedgerEntry[]): void {
    storeEntries(this.database.file, entries)
  }

  /** Runs the steps to their end. @throws when there seems to be none */
  process(steps = this.steps): void {
    for (let step = 0; steps.run(1000) === 'more'; step++) if (step > 1000) throw new Error('it never ends')
  }

  /** Steps as another process runs them. */
  newSteps(connection = this.database.connect()): ProcessingSteps {
    return new ProcessingSteps(connection, systemClock)
  }

  /** A connection whose first transaction begins when the other steps have just taken one. */
  overtakenBy(others: ProcessingSteps): Connection {
    const connection = this.database.connect()
    const { db } = connection
    const begin = db.transaction.bind(db)
    let isOvertaken = false
    db.transaction = (...taken) => {
      if (!isOvertaken) others.run(1)
      isOvertaken = true
      return begin(...taken)
    }
    return connection
  }

  /** Ids of what was set aside. */
  setAside(): string[] {
    return this.connection.raw
      .query<{ id: string }, []>('SELECT id FROM set_aside JOIN ledger USING (sequence) ORDER BY sequence')
      .all()
      .map(({ id }) => id)
  }

  /** Decisions of the ledger, in its order. */
  stored(kind: DecisionKind): { id: string; received_at: number }[] {
    return this.connection.raw
      .query<{ id: string; received_at: number }, [number]>(
        'SELECT id, received_at FROM ledger WHERE kind = ? ORDER BY sequence',
      )
      .all(decisionKinds[kind])
  }

  /** Runs a step on a disk that is full when the figures are written: by then all else of it has been. */
  stepOnFullDisk(): void {
    const connection = this.database.connect()
    connection.raw.run(`CREATE TEMP TRIGGER grows AFTER INSERT ON main.day_figure BEGIN
      INSERT INTO set_aside (sequence, account_row, reason, at) VALUES (-1, 1, hex(zeroblob(1000000)), 0); END`)
    const pages = connection.raw.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0
    connection.raw.run(`PRAGMA max_page_count = ${pages}`)
    new ProcessingSteps(connection, systemClock).run(1000)
  }

  release(id: string, minutes = 24 * 60, accountId = 'account-a'): Promise<ReleaseOutcome> {
    return this.quarantine.release(accountId, id, noon + minutes * minuteMs)
  }

  /** What is known of each submission, in order of commit. */
  facts(): Fact[] {
    return this.connection.raw
      .query<Fact, []>(
        `SELECT submission_fact.id, status, released_at, duplicate_of, person.email AS person, page_slug, lead_source,
           first_touch ->> '$.source' AS first, last_touch ->> '$.source' AS last
         FROM submission_fact LEFT JOIN person ON person.row = person_row ORDER BY sequence`,
      )
      .all()
  }

  fact(id: string): Fact {
    const found = this.facts().find((fact) => fact.id === id)
    if (found === undefined) throw new Error(`nothing is known of ${id}`)
    return found
  }

  /** Ids of those that are marked, each with the one that it repeats. */
  duplicates(): Record<string, string> {
    return Object.fromEntries(
      this.facts().flatMap(({ id, duplicate_of }) => (duplicate_of ? [[id, duplicate_of]] : [])),
    )
  }

  /** Leads and duplicates by day after 2026-11-20, measure and name; figures that came to nothing are left out. */
  figures(accountId = 'account-a'): Record<string, number> {
    const rows = this.connection.raw
      .query<{ name: string; count: number }, [number, string]>(
        `SELECT (day - ?) || ' ' || measure || ' ' || name AS name, count FROM day_figure
         WHERE account_row = (SELECT row FROM account WHERE id = ?) AND count <> 0
           AND measure IN ('lead', 'lead_source', 'duplicate')`,
      )
      .all(Math.floor(noon / 86_400_000), accountId)
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.database[Symbol.asyncDispose]()
  }
}
