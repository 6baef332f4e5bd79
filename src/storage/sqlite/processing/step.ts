import { asc, gt, max, sql } from 'drizzle-orm'
import type { Clock } from '../../../lib/clock.ts'
import { processEntry } from '../../../processing/process-entry.ts'
import type { Connection } from '../connection.ts'
import { decodeEntry, type EntryRow } from '../ledger-codec.ts'
import { isDamage, unlessDamaged } from '../salvage/damage.ts'
import { assertAscending, newestNumber } from '../salvage/ledger-numbers.ts'
import { ledger } from '../schema.ts'
import { isStorageFault } from './fault-reason.ts'
import { Obstacles } from './obstacles.ts'
import { ProcessedAccounts } from './processed-accounts.ts'
import { processing } from './schema.ts'
import { SecondTry } from './second-try.ts'
import { SqliteProcessingState } from './state.ts'
import { WaitingReleases } from './waiting-releases.ts'

/** Rows read at a time: a fraction of what a step of a millisecond gets through. */
const pageRows = 16
/** Entries of one step at most, however long it may take. */
const stepEntriesMax = 4096

interface LedgerEntryRow extends EntryRow {
  sequence: number
  accountRow: number
}

/** What a service has beyond a command. */
export interface ServiceSteps {
  /** Epoch milliseconds. What was set aside before is tried once more. */
  startedAt: number
  /** Told of each entry that is set aside, with the reason that is kept. */
  onSetAside: (reason: string) => void
}

/** How far the step under way has come: what a fault of it is judged by. */
interface StepUnderWay {
  /** The sequence it begins behind. */
  begin: number
  first: LedgerEntryRow | null
  /** Entries processed. */
  taken: number
  /** Whether what they noted is being written: then any of them may be at fault. */
  flushing: boolean
  /** Whether the ledger is being read: then it is none of them. */
  reading: boolean
}

/**
 * Processing in steps: each is one transaction that begins where the last one ended, and moves the cursor with what it
 * changes. Whoever runs it, and however many do, each entry is processed once.
 *
 * An entry that cannot be processed is set aside, and the rest goes on. The step that met it is rolled back, and the
 * next ones take fewer entries, until it stands first and alone is to blame.
 */
export class ProcessingSteps {
  private entriesMax = stepEntriesMax
  private readonly accounts: ProcessedAccounts
  private readonly state: SqliteProcessingState
  private readonly releases: WaitingReleases
  private readonly secondTry: SecondTry | null
  private readonly obstacles: Obstacles
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    service: ServiceSteps | null = null,
  ) {
    this.accounts = new ProcessedAccounts(connection)
    this.state = new SqliteProcessingState(connection)
    const parts = { connection, clock, accounts: this.accounts, state: this.state }
    const onSetAside = service?.onSetAside ?? (() => {})
    this.releases = new WaitingReleases({ ...parts, onSetAside })
    this.obstacles = new Obstacles({ ...parts, onSetAside })
    this.secondTry = service && new SecondTry({ ...parts, before: service.startedAt })
    this.statements = prepareStatements(connection)
  }

  /**
   * Processes what waits, one entry at least, for about so many milliseconds; answers whether more waits.
   *
   * @throws SQLiteError when the disk or a lock prevents it; then nothing of the step was stored.
   */
  run(msMax: number): 'more' | 'done' {
    if (this.releases.processNext()) return 'more'
    // Looked at before the write lock is taken: there is often nothing to do, and a command may be waiting for the lock.
    if (this.newest() <= this.cursor()) return this.secondTry?.tryNext() ? 'more' : 'done'
    const step: StepUnderWay = { begin: 0, first: null, taken: 0, flushing: false, reading: false }
    try {
      const outcome = this.exclusively(() => this.take(step, this.clock.monotonicMs() + msMax))
      this.entriesMax = Math.min(this.entriesMax * 2, stepEntriesMax)
      return outcome
    } catch (error) {
      this.state.forget()
      if (step.reading && isDamage(error)) return this.readOn(step, error)
      if (isStorageFault(error) || step.first === null) throw error
      const before = step.flushing ? Math.floor(step.taken / 2) : step.taken
      if (before === 0) this.obstacles.entry(step.begin, step.first, error)
      else this.entriesMax = before
      return 'more'
    }
  }

  private take(step: StepUnderWay, deadlineMs: number): 'more' | 'done' {
    this.accounts.refresh()
    step.begin = this.cursor()
    for (let cursor = step.begin; ; ) {
      if (step.taken > 0 && this.isOver(step, deadlineMs)) return this.keep(step, cursor, 'more')
      step.reading = true
      const rows = this.statements.page.all({ cursor })
      assertAscending(rows, cursor)
      step.reading = false
      for (const row of rows) {
        step.first ??= row
        if (step.taken > 0 && this.isOver(step, deadlineMs)) return this.keep(step, cursor, 'more')
        this.process(row)
        step.taken++
        cursor = row.sequence
      }
      if (rows.length < pageRows) return this.keep(step, cursor, 'done')
    }
  }

  private readOn({ begin, taken }: StepUnderWay, error: unknown): 'more' {
    // First what lies before the place that cannot be read.
    if (taken > 0) this.entriesMax = taken
    else this.obstacles.unreadable(begin, error)
    return 'more'
  }

  private isOver({ taken }: StepUnderWay, deadlineMs: number): boolean {
    return taken >= this.entriesMax || this.clock.monotonicMs() >= deadlineMs
  }

  private process(row: LedgerEntryRow): void {
    const owner = this.accounts.find(row.accountRow)
    // Removed: what is left of its records goes too.
    if (owner === null) return
    this.state.begin(row)
    processEntry(decodeEntry(row, owner.id), owner, this.state)
  }

  private keep(step: StepUnderWay, cursor: number, outcome: 'more' | 'done'): 'more' | 'done' {
    if (step.taken === 0) return outcome
    step.flushing = true
    this.state.flush()
    this.statements.moveCursor.run({ cursor })
    return outcome
  }

  private exclusively<T>(work: () => T): T {
    return this.connection.db.transaction(work, { behavior: 'immediate' })
  }

  private cursor(): number {
    return this.statements.cursor.get()?.cursor ?? 0
  }

  private newest(): number {
    return unlessDamaged(
      () => this.statements.newest.get()?.sequence ?? 0,
      () => newestNumber(this.connection),
    )
  }
}

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  return {
    cursor: db.select({ cursor: processing.cursor }).from(processing).prepare(),
    newest: db
      .select({ sequence: max(ledger.sequence) })
      .from(ledger)
      .prepare(),
    page: db
      .select()
      .from(ledger)
      .where(gt(ledger.sequence, value('cursor')))
      .orderBy(asc(ledger.sequence))
      .limit(pageRows)
      .prepare(),
    moveCursor: db
      .update(processing)
      .set({ cursor: sql`${value('cursor')}` })
      .prepare(),
  }
}
