import type { Clock } from '../../../lib/clock.ts'
import type { Fold } from '../../../processing/fold.ts'
import type { Connection } from '../database/connection.ts'
import { ascending, isDamage, unlessDamaged } from '../database/damage.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { newestNumber } from '../ledger/damaged-stretch.ts'
import { entryColumns } from '../ledger/ledger-codec.ts'
import { isStorageFault } from '../processing/fault-reason.ts'
import { type FoldedRow, Folding } from '../processing/folding.ts'
import { Refolding } from '../refolding/refolding.ts'
import { MonthFigures } from './month-figures.ts'
import { Pace } from './pace.ts'
import { Obstacles, SecondTry } from './set-aside.ts'
import { SlowEntryGuard, WorkMark } from './slow-entries.ts'

/** Entries in one step at most, however long it may take. */
const stepEntriesMax = 4096
/** While entries wait, one step in so many derives stale keys again. */
const stepsPerStale = 4

type Waiting = Record<'entries' | 'stale', number>

/** What a service has that a command lacks. */
export interface ServiceSteps {
  /** Epoch milliseconds. What was set aside before is retried once, and months that are over are added up. */
  startedAt: number
  /** Of the program: what took too long in another one is retried once. */
  version: string
  mark: WorkMark
  /** Called for each entry that is set aside, with the stored reason. */
  onSetAside: (reason: string) => void
}

/**
 * Processing in steps. Each step is one transaction that begins where the last one ended: it reads as many entries as
 * fit into its time, folds them one by one, and writes the changes together with the cursor.
 * Whoever runs steps, and however many do, each entry is processed once.
 *
 * An entry that cannot be processed is set aside, and the rest goes on. The failing step is rolled back, and the next
 * ones take fewer entries, until the faulty one comes first and alone is to blame. So is one that took too long in an
 * earlier thread (slow-entries.ts).
 */
export class ProcessingSteps {
  private entriesMax = stepEntriesMax
  private steps = 0
  private readonly pace = new Pace()
  private readonly folding: Folding
  private readonly refolding: Refolding
  private readonly secondTry: SecondTry | null
  private readonly months: MonthFigures | null
  private readonly obstacles: Obstacles
  private readonly mark: WorkMark
  private readonly slow: SlowEntryGuard
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    service: ServiceSteps | null = null,
  ) {
    this.folding = new Folding(connection)
    this.mark = service?.mark ?? new WorkMark()
    this.slow = new SlowEntryGuard(connection, clock)
    const parts = { connection, clock, folding: this.folding, mark: this.mark }
    const onSetAside = service?.onSetAside ?? (() => {})
    this.refolding = new Refolding({ ...parts, onGivenUp: onSetAside })
    this.months = service && new MonthFigures(connection, clock)
    this.obstacles = new Obstacles({ ...parts, onSetAside })
    this.secondTry = service && new SecondTry({ ...parts, before: service.startedAt, version: service.version })
    this.statements = prepareStatements(connection)
  }

  /**
   * Processes waiting entries for about so many milliseconds, at least one; returns whether more wait.
   *
   * @param folding the limits of a step that folds entries
   * @throws SQLiteError when the disk or a lock prevents it; then nothing of the step was stored
   */
  run(msMax: number, folding: FoldTime = { msMax, isAwaited: () => false }): 'more' | 'done' {
    try {
      return this.runStep(msMax, folding)
    } finally {
      this.mark.end()
    }
  }

  private runStep(msMax: number, folding: FoldTime): 'more' | 'done' {
    if (this.slow.singlyTo > 0) this.slow.endAt(this.cursor())
    this.mark.singlyTo = this.slow.singlyTo
    // Check before taking the write lock: often there is nothing to do, and a command may be waiting for the lock.
    const waiting = this.waiting()
    if (waiting.stale && this.isTurnOfStale(waiting) && this.refolding.run(msMax) === 'more') return 'more'
    if (!waiting.entries) return this.secondTry?.tryNext() || this.months?.addUpNext() ? 'more' : 'done'
    const step = new StepUnderWay(this.clock.monotonicMs(), folding)
    try {
      const outcome = writeTransaction(this.connection, () => this.take(step))
      this.learn(step)
      return waiting.stale ? 'more' : outcome
    } catch (error) {
      if (step.reading > 0 && isDamage(error)) return this.readOn(step, error)
      if (isStorageFault(error) || step.first === null) throw error
      if (step.sound === 0) this.obstacles.entry(step.begin, step.first, error)
      else this.entriesMax = step.sound
      return 'more'
    }
  }

  private take(step: StepUnderWay): 'more' | 'done' {
    const fold = this.folding.begin()
    step.beginBehind(this.cursor())
    for (;;) {
      const asked = this.room(step)
      if (asked === 0) return this.keep(fold, step)
      const rows = this.read(step, asked)
      const isFull = this.fold(fold, rows, step) === 'full'
      if (isFull || rows.length < asked) return this.keep(fold, step)
    }
  }

  /** How many entries to read: not many more than will be folded. 0: the step is over. */
  private room({ begin, taken, deadlineMs }: StepUnderWay): number {
    if (begin < this.slow.singlyTo) return 1 - taken
    const fitting = this.pace.batch(deadlineMs - this.clock.monotonicMs(), taken)
    return Math.min(fitting, this.entriesMax - taken)
  }

  private read(step: StepUnderWay, rowsMax: number): FoldedRow[] {
    step.reading = rowsMax
    const rows = ascending(this.statements.page.all(step.cursor, rowsMax), step.cursor)
    step.reading = 0
    step.first ??= rows[0] ?? null
    if (rows[0] !== undefined) this.slow.assertQuick(rows[0].sequence)
    return rows
  }

  private fold(fold: Fold, rows: FoldedRow[], step: StepUnderWay): 'full' | 'folded' {
    this.mark.begin(rows[0]?.sequence ?? 0, rows.at(-1)?.sequence)
    const items = this.folding.items(rows)
    for (const [position, item] of items.entries()) {
      // It takes back what is stored of a submission, and so stands in a step of its own.
      const isRefusal = item?.entry.kind === 'refusal'
      if (step.taken > 0 && (isRefusal || this.isOver(step))) return 'full'
      const sequence = rows[position]?.sequence ?? step.cursor
      this.mark.begin(sequence)
      if (item !== null) fold.add(item)
      step.taken++
      step.cursor = sequence
      if (isRefusal) return 'full'
    }
    return items.length < rows.length ? 'full' : 'folded'
  }

  /** Processes first what precedes the unreadable place. */
  private readOn({ begin, readable }: StepUnderWay, error: unknown): 'more' {
    if (readable > 0) this.entriesMax = readable
    else this.obstacles.unreadable(begin, error)
    return 'more'
  }

  private isOver({ taken, deadlineMs, isAwaited }: StepUnderWay): boolean {
    return taken >= this.entriesMax || isAwaited() || this.clock.monotonicMs() + this.pace.keepTime(taken) >= deadlineMs
  }

  private keep(fold: Fold, step: StepUnderWay): 'more' | 'done' {
    if (step.taken === 0) return 'done'
    step.foldedAtMs = this.clock.monotonicMs()
    step.together = step.taken
    this.mark.begin(step.first?.sequence ?? step.cursor, step.cursor)
    fold.keep()
    this.statements.moveCursor.run(step.cursor)
    const outcome = this.newest() > step.cursor ? 'more' : 'done'
    step.keptAtMs = this.clock.monotonicMs()
    return outcome
  }

  private learn({ taken, startedAtMs, foldedAtMs, keptAtMs }: StepUnderWay): void {
    this.entriesMax = Math.min(this.entriesMax * 2, stepEntriesMax)
    if (taken === 0) return
    this.pace.learn({ entries: taken, foldMs: foldedAtMs - startedAtMs, keepMs: keptAtMs - foldedAtMs })
  }

  private waiting(): Waiting {
    return unlessDamaged(
      () => this.statements.waiting.get() ?? { entries: 0, stale: 0 },
      () => ({ entries: Number(this.newest() > this.cursor()), stale: 1 }),
    )
  }

  /** Entries need not wait: they are folded on stale state, and again when it is derived. */
  private isTurnOfStale({ entries }: Waiting): boolean {
    this.steps++
    return !entries || this.steps % stepsPerStale === 0
  }

  private cursor(): number {
    return this.statements.cursor.get()?.cursor ?? 0
  }

  private newest(): number {
    return newestNumber(this.connection)
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    cursor: raw.query<{ cursor: number }, []>('SELECT cursor FROM processing'),
    waiting: raw.query<Waiting, []>(
      `SELECT coalesce((SELECT max(sequence) FROM ledger), 0) > (SELECT cursor FROM processing) AS entries,
         EXISTS (SELECT 1 FROM stale_device WHERE given_up IS NULL) OR EXISTS (SELECT 1 FROM stale_repeat)
           OR EXISTS (SELECT 1 FROM stale_burst) OR EXISTS (SELECT 1 FROM stale_day) AS stale`,
    ),
    page: raw.query<FoldedRow, [number, number]>(
      `SELECT ${entryColumns} FROM ledger WHERE sequence > ? ORDER BY sequence LIMIT ?`,
    ),
    moveCursor: raw.query<null, [number]>('UPDATE processing SET cursor = ?'),
  }
}

export interface FoldTime {
  msMax: number
  /** From then on, the step takes no more entries and only writes what it has folded. */
  isAwaited: () => boolean
}

/** How far a step has come; used to judge a fault. */
class StepUnderWay {
  begin = 0
  /** The sequence of the last folded entry. */
  cursor = 0
  first: FoldedRow | null = null
  taken = 0
  /** Folded entries being written together: any of them may be at fault. 0: none is. */
  together = 0
  /** Ledger rows being read: then no entry is at fault. 0: none. */
  reading = 0
  /** When only writing was left. */
  foldedAtMs = 0
  /** When only the commit was left. Its time depends on the disk, not on the number of entries. */
  keptAtMs = 0

  readonly deadlineMs: number
  readonly isAwaited: () => boolean

  constructor(
    readonly startedAtMs: number,
    { msMax, isAwaited }: FoldTime,
  ) {
    this.deadlineMs = startedAtMs + msMax
    this.isAwaited = isAwaited
  }

  beginBehind(cursor: number): void {
    this.begin = cursor
    this.cursor = cursor
  }

  /** How many entries the next step may take to end before the fault or get nearer to it. 0: the first is at fault. */
  get sound(): number {
    return this.together > 0 ? Math.floor(this.together / 2) : this.taken
  }

  /** The same for an unreadable place. */
  get readable(): number {
    return this.taken > 0 ? this.taken : Math.floor(this.reading / 2)
  }
}
