import type { Clock } from '../../../lib/clock.ts'
import type { ErasureCounts } from '../../../processing/erasure.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import type { DayFigures } from './day-figures.ts'
import type { DeviceEnd } from './device-end.ts'
import { EntryRemoval, type RemovedEntry } from './entry-removal.ts'
import type { LoggedErasure } from './erasure-log.ts'
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
  figures: DayFigures
  devices: DeviceEnd
}

/** Removes a person's records with what was made of each, what they were counted as included. */
export class ErasedRemoval {
  private readonly entries: EntryRemoval

  constructor(private readonly options: ErasedRemovalOptions) {
    this.entries = new EntryRemoval(options.connection)
  }

  /** Removes the first of them, as many as a step has time for, and counts them; answers how many are done with. */
  remove(records: readonly FoundRecord[], { counts, log }: Taken): number {
    const deadlineMs = this.options.clock.monotonicMs() + stepMs
    const removed: RemovedEntry[] = []
    const removeSome = () => {
      let done = 0
      while (done < records.length && (done === 0 || this.options.clock.monotonicMs() < deadlineMs)) {
        const sequence = records[done++]?.sequence ?? 0
        const entry = this.entries.remove(sequence)
        if (entry === null) continue
        log.note(entry.id)
        removed.push(entry)
        this.forgetEntry(entry)
      }
      return done
    }
    const done = log.within(removeSome)
    for (const { kind } of removed) counts[countOfKind[kind] ?? 'events']++
    return done
  }

  private forgetEntry({ accountRow, deviceRow, hit, figures }: RemovedEntry): void {
    const { devices, figures: days } = this.options
    for (const figure of figures) days.change(accountRow, figure)
    if (deviceRow !== null && hit !== null) devices.forgetVisit(deviceRow, hit.day)
    if (deviceRow !== null) devices.removeIfBare(deviceRow, { figuresToo: true })
  }
}

/** Under what a kind is counted. */
export const countOfKind: Readonly<Record<number, Exclude<keyof ErasureCounts, 'devices' | 'unreadable'>>> = {
  [entryKinds.submission]: 'submissions',
  [entryKinds.event]: 'events',
  [entryKinds.page_view]: 'pageViews',
  [entryKinds.click]: 'clicks',
}
