import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import type { Found, Interval } from '../persons/own-records.ts'
import type { StaleMarks } from '../processing/stale-marks.ts'
import { hasRecordedAfter } from '../refolding/remembered-rows.ts'
import { RemovalNotes } from './removal-notes.ts'
import { Ties } from './ties.ts'

/** Times of a device noted in one transaction: a few milliseconds. */
const intervalsPerStep = 1000

/** Parts an erased person from their devices. */
export class Parting {
  private readonly ties: Ties
  private readonly notes: RemovalNotes

  constructor(
    private readonly connection: Connection,
    clock: Clock,
    private readonly marks: StaleMarks,
  ) {
    this.ties = new Ties(connection)
    this.notes = new RemovalNotes(connection, clock)
  }

  /**
   * Ends the person's ownership of the device, unless it has recorded something since: that is theirs, and found in the
   * next round.
   */
  async part(
    deviceRow: number,
    personRow: number,
    { processedTo, intervals }: Pick<Found, 'processedTo' | 'intervals'>,
  ): Promise<void> {
    await this.markTimes(deviceRow, intervals)
    while (writeTransaction(this.connection, () => this.ties.trim(deviceRow, personRow))) await breath()
    writeTransaction(this.connection, () => {
      if (hasRecordedAfter(this.connection, processedTo, deviceRow)) return
      this.ties.end(deviceRow, personRow)
      this.marks.device(deviceRow)
    })
    await breath()
  }

  /** Returns whether nothing is theirs any more. */
  removePerson(personRow: number): boolean {
    return writeTransaction(this.connection, () => {
      const removed = this.ties.removePerson(personRow)
      if (removed !== null) this.notes.erased(removed)
      return removed !== null
    })
  }

  /** Call while the ties still show whose the device's expired records were. */
  private async markTimes(deviceRow: number, intervals: readonly Interval[]): Promise<void> {
    const own = intervals.filter((interval) => interval.deviceRow === deviceRow)
    for (let first = 0; first < own.length; first += intervalsPerStep) {
      writeTransaction(this.connection, () => {
        for (const { from, until } of own.slice(first, first + intervalsPerStep))
          this.marks.erasedTime(deviceRow, { from: from?.at ?? 0, until: until?.at ?? Number.MAX_SAFE_INTEGER })
        this.marks.device(deviceRow)
      })
      await breath()
    }
  }
}
