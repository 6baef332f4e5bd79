import type { Clock } from '../../../lib/clock.ts'
import type { ErasureCounts } from '../../../processing/erasure.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { DayFigures } from '../refolding/day-figures.ts'
import { StaleMarks } from '../refolding/stale-marks.ts'
import { EntryRemoval, type RemovedEntry } from './entry-removal.ts'
import type { LoggedErasure } from './erasure-log.ts'
import type { ExpiredOrigins } from './expired-origins.ts'
import type { FoundRecord } from './own-records.ts'

/** How long a step may hold the write lock: 20 ms, less a slow disk's share. */
const stepMs = 5

/** What has been removed of the person so far. */
export interface Taken {
  counts: ErasureCounts
  log: LoggedErasure
}

interface ErasedRemovalOptions {
  connection: Connection
  clock: Clock
  expired: ExpiredOrigins
}

/**
 * Removes a person's records with everything derived from each alone, including figures, and marks as stale what they
 * had a part in.
 */
export class ErasedRemoval {
  private readonly entries: EntryRemoval
  private readonly figures: DayFigures
  private readonly marks: StaleMarks

  constructor(private readonly options: ErasedRemovalOptions) {
    const { connection } = options
    this.entries = new EntryRemoval(connection)
    this.figures = new DayFigures(connection)
    this.marks = new StaleMarks(connection)
  }

  /** Removes and counts the first records, as many as a step has time for; returns how many are done. */
  remove(records: readonly FoundRecord[], { counts, log }: Taken): number {
    const deadlineMs = this.options.clock.monotonicMs() + stepMs
    const removed: RemovedEntry[] = []
    const removeSome = () => {
      let done = 0
      while (done < records.length && (done === 0 || this.options.clock.monotonicMs() < deadlineMs)) {
        const sequence = records[done++]?.sequence ?? 0
        this.marks.entry(sequence)
        const entry = this.entries.remove(sequence)
        if (entry === null) continue
        log.note(entry.id)
        removed.push(entry)
        this.unmake(entry)
      }
      return done
    }
    const done = log.within(removeSome)
    for (const { kind } of removed) counts[countOfKind[kind] ?? 'events']++
    return done
  }

  /**
   * Subtracts what the entry alone added. What others would be without it is derived again (storage/sqlite/refolding).
   */
  private unmake({ accountRow, deviceRow, kind, receivedAt, figures }: RemovedEntry): void {
    for (const figure of figures) this.figures.change(accountRow, figure)
    if (deviceRow === null) return
    // Submissions never say where a visit came from, and a device may have thousands.
    if (kind !== entryKinds.submission) this.options.expired.forgetRecord(deviceRow, receivedAt)
    this.marks.device(deviceRow)
  }
}

/** The count to which a kind belongs. */
export const countOfKind: Readonly<Record<number, Exclude<keyof ErasureCounts, 'devices' | 'unreadable'>>> = {
  [entryKinds.submission]: 'submissions',
  [entryKinds.event]: 'events',
  [entryKinds.page_view]: 'pageViews',
  [entryKinds.click]: 'clicks',
}
