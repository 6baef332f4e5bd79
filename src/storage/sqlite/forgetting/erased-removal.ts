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

/** How long a step may hold the write lock: 20 ms less what a slow disk adds. */
const stepMs = 5

/** What has been taken of the person so far. */
export interface Taken {
  counts: ErasureCounts
  log: LoggedErasure
}

interface ErasedRemovalOptions {
  connection: Connection
  clock: Clock
  expired: ExpiredOrigins
}

/** Removes a person's records with what was made of each alone, figures included, and marks what they had a part in. */
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

  /** Removes the first of them, as many as a step has time for, and counts them; answers how many are done with. */
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

  /** Takes what it alone added; what others would be without it is made anew (storage/sqlite/refolding). */
  private unmake({ accountRow, deviceRow, kind, receivedAt, figures }: RemovedEntry): void {
    for (const figure of figures) this.figures.change(accountRow, figure)
    if (deviceRow === null) return
    // No submission tells where a visit came from; and a device may have thousands.
    if (kind !== entryKinds.submission) this.options.expired.forgetRecord(deviceRow, receivedAt)
    this.marks.device(deviceRow)
  }
}

/** Under what a kind is counted. */
export const countOfKind: Readonly<Record<number, Exclude<keyof ErasureCounts, 'devices' | 'unreadable'>>> = {
  [entryKinds.submission]: 'submissions',
  [entryKinds.event]: 'events',
  [entryKinds.page_view]: 'pageViews',
  [entryKinds.click]: 'clicks',
}
