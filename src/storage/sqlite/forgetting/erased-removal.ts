import type { Clock } from '../../../lib/clock.ts'
import type { ErasureCounts } from '../../../processing/erasure.ts'
import { type Figure, figuresOfEntry } from '../../../processing/figures/measures.ts'
import type { Connection } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import type { FoundRecord } from '../persons/own-records.ts'
import { Folding } from '../processing/folding.ts'
import { NamedPersons } from '../processing/person-rows.ts'
import { StaleMarks } from '../processing/stale-marks.ts'
import { Refolding } from '../refolding/refolding.ts'
import { retryGivenUp } from '../refolding/stale-kind.ts'
import { EntryRemoval, type RemovedEntry, stepMs, untilOver } from './entry-removal.ts'
import type { LoggedErasure } from './erasure-log.ts'
import { RemovalNotes } from './removal-notes.ts'

/** How long the removals of a step may take; the rest of it writes the figures. */
const removalMs = stepMs - 2
const recordsPerStepMax = 1000
/** Days cleared of rows that are zero in one transaction: a millisecond or two. */
const daysPerStep = 25

/** Where removed records are named. `within` runs the transaction that removes them. */
export type RemovalLog = Pick<LoggedErasure, 'within' | 'note' | 'end'>

/** What has been removed of the person so far. */
export interface Taken {
  counts: ErasureCounts
  log: RemovalLog
  /** Whether the records go alone: then whoever they named is no longer named by them. Absent: the person goes, with all ties. */
  isAlone?: boolean
}

/**
 * Removes a person's records with everything derived from each alone, including figures, and marks as stale what they
 * had a part in.
 */
export class ErasedRemoval {
  readonly marks: StaleMarks
  private readonly folding: Folding
  private readonly entries: EntryRemoval
  private readonly named: NamedPersons
  private readonly notes: RemovalNotes

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {
    this.folding = new Folding(connection)
    this.entries = new EntryRemoval(connection)
    this.named = new NamedPersons(connection.raw)
    this.notes = new RemovalNotes(connection, clock)
    this.marks = new StaleMarks(connection)
  }

  async removeAll(records: readonly FoundRecord[], taken: Taken): Promise<void> {
    for (let next = 0; next < records.length; await breath())
      next += this.remove(records.slice(next, next + recordsPerStepMax), taken)
  }

  /** Removes and counts the first records of one account, as many as a step has time for; returns how many are done. */
  remove(records: readonly FoundRecord[], { counts, log, isAlone = false }: Taken): number {
    const deadlineMs = this.clock.monotonicMs() + removalMs
    const removed: RemovedEntry[] = []
    const done = log.within(() => {
      const isOver = () => this.clock.monotonicMs() >= deadlineMs
      const done = untilOver(records, isOver, ({ sequence }) => {
        this.marks.entry(sequence)
        const entry = this.entries.remove(sequence)
        if (entry === null) return
        removed.push(entry)
        const person = isAlone ? this.named.untie(entry) : null
        if (person !== null) this.notes.erased(person)
      })
      this.unmake(removed)
      for (const { id } of removed) log.note(id)
      return done
    })
    for (const { kind } of removed) counts[countOfKind[kind] ?? 'events']++
    return done
  }

  /** Ends an erasure whose records are removed: derives again what others are without them, and what could not be before. */
  async finish(accountRow: number, logs: readonly RemovalLog[]): Promise<void> {
    const { connection, clock, folding } = this
    await this.forgetZeros(accountRow)
    for (const log of logs) log.end()
    retryGivenUp(connection)
    const refolding = new Refolding({ connection, clock, folding, onGivenUp: () => {} })
    while (refolding.run(stepMs) === 'more') await breath()
  }

  /**
   * Processing leaves rows that are zero, and so the name of a source from which a late record has moved another person's lead:
   * a day of which nothing is subtracted may name what the erased person brought.
   */
  private async forgetZeros(accountRow: number): Promise<void> {
    const zeros = this.connection.raw
      .query<Figure, [number]>(
        'SELECT day, measure, name FROM day_figure WHERE account_row = ? AND count = 0 GROUP BY day ORDER BY day',
      )
      .all(accountRow)
    for (let from = 0; from < zeros.length; from += daysPerStep) {
      writeTransaction(this.connection, () =>
        // A day that a correction touches keeps no such row.
        this.folding.correct(accountRow, ({ accountId, state }) => {
          for (const zero of zeros.slice(from, from + daysPerStep)) state.figures.add(accountId, { ...zero, count: 0 })
        }),
      )
      await breath()
    }
  }

  /** Subtracts what each entry alone added. */
  private unmake(removed: readonly RemovedEntry[]): void {
    const [first] = removed
    if (first === undefined) return
    for (const { deviceRow, receivedAt, kind } of removed) {
      if (deviceRow === null) continue
      // Submissions never say where a visit came from.
      if (kind !== entryKinds.submission) this.marks.erasedRecord(deviceRow, receivedAt)
      this.marks.device(deviceRow)
    }
    this.folding.correct(first.accountRow, ({ accountId, state }) => {
      for (const figure of removed.flatMap(figuresOfEntry)) state.figures.add(accountId, { ...figure, count: -1 })
    })
  }
}

/** The count to which a kind belongs. */
export const countOfKind: Readonly<Record<number, Exclude<keyof ErasureCounts, 'devices'>>> = {
  [entryKinds.submission]: 'submissions',
  [entryKinds.event]: 'events',
  [entryKinds.page_view]: 'pageViews',
  [entryKinds.click]: 'clicks',
}
