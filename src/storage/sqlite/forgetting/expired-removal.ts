import { advanced, type ExpiredHit } from '../../../processing/refolding/device-base.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { channelColumn, storedChannel } from '../processing/device-rows.ts'
import { StaleMarks } from '../processing/stale-marks.ts'
import { nobody } from '../schema/processing-schema.ts'
import { EntryRemoval, type RemovedEntry, untilOver } from './entry-removal.ts'
import { Ties } from './ties.ts'

/**
 * Removes expired records with everything derived from them, and persons without remaining records. Counts stay: the
 * device's base moves past the record. A device without remaining records is marked, and goes when it is derived again.
 * Call in a transaction.
 */
export class ExpiredRemoval {
  private readonly entries: EntryRemoval
  private readonly marks: StaleMarks
  private readonly ties: Ties
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Connection) {
    this.entries = new EntryRemoval(connection)
    this.marks = new StaleMarks(connection)
    this.ties = new Ties(connection)
    this.statements = prepareStatements(connection)
  }

  /** Removes records until time is up; returns how many. Call again for the rest. */
  remove(sequences: readonly number[], isOver: () => boolean): number {
    const persons = new Set<number>()
    const done = untilOver(sequences, isOver, (sequence) => {
      const removed = this.entries.remove(sequence)
      if (removed === null) return
      if (removed.personRow !== null) persons.add(removed.personRow)
      if (removed.deviceRow !== null) this.leaveBehind(removed.deviceRow, removed, persons)
    })
    for (const person of persons) this.ties.endIfForgotten(person)
    return done
  }

  private leaveBehind(deviceRow: number, removed: RemovedEntry, persons: Set<number>): void {
    const { sequence, receivedAt, id, kind, hit } = removed
    if (hit !== null) {
      this.statements.forgetVisit.run(deviceRow, hit.day, receivedAt, sequence)
      if (kind !== entryKinds.submission) this.advanceBase(deviceRow, hit)
    }
    const tie = this.ties.at(deviceRow, { at: receivedAt, id })
    if (tie !== null && tie.personRow !== nobody) persons.add(tie.personRow)
    if (this.statements.anyEntry.get(deviceRow) === null) this.marks.device(deviceRow)
    else {
      this.marks.deviceAgain(deviceRow)
      if (tie !== null) this.ties.endIfEmpty(tie)
    }
  }

  private advanceBase(deviceRow: number, hit: ExpiredHit): void {
    const before = this.statements.base.get(deviceRow)
    if (before === null) return
    const base = { ...before, channel: storedChannel(before.channel) }
    const { expiredAt, hitAt, visitAt, channel, viewDay } = advanced(base, hit)
    this.statements.keepBase.run(expiredAt, hitAt, visitAt, channelColumn(channel), viewDay, deviceRow)
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    anyEntry: raw.query<object, [number]>('SELECT 1 FROM device_entry WHERE device_row = ? LIMIT 1'),
    // Unless it has another record of that day. Days follow receipts, so the neighbours of the removed record decide, however
    // much the device has recorded.
    forgetVisit: raw.query<null, [number, number, number, number]>(
      `DELETE FROM visitor_day WHERE device_row = ?1 AND day = ?2
         AND ?2 IS NOT (SELECT day FROM device_entry WHERE device_row = ?1 AND (received_at, sequence) < (?3, ?4)
           ORDER BY received_at DESC, sequence DESC LIMIT 1)
         AND ?2 IS NOT (SELECT day FROM device_entry WHERE device_row = ?1 AND (received_at, sequence) > (?3, ?4)
           ORDER BY received_at, sequence LIMIT 1)`,
    ),
    base: raw.query<Omit<ReturnType<typeof advanced>, 'channel'> & { channel: string | null }, [number]>(
      `SELECT expired_at AS expiredAt, expired_hit_at AS hitAt, expired_visit_at AS visitAt, expired_channel AS channel,
         expired_view_day AS viewDay FROM device WHERE row = ?`,
    ),
    keepBase: raw.query<null, [...(number | null)[], channel: string | null, viewDay: number | null, row: number]>(
      `UPDATE device SET expired_at = ?, expired_hit_at = ?, expired_visit_at = ?, expired_channel = ?, expired_view_day = ?
       WHERE row = ?`,
    ),
  }
}
