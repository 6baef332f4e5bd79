import { advanced, type ExpiredHit } from '../../../processing/refolding/device-base.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { entriesWithin } from '../lookup/rows-within.ts'
import { intervalOf, intervalsJson, type OwnTieRow, ownTieColumns } from '../persons/intervals.ts'
import { nobody } from '../processing/schema.ts'
import { StaleMarks } from '../refolding/stale-marks.ts'
import { DeviceTies } from './device-ties.ts'
import { EntryRemoval, type RemovedEntry } from './entry-removal.ts'
import { ExpiredTies } from './expired-ties.ts'

/**
 * Removes expired records with everything derived from them, and persons without remaining records. Counts stay: the
 * device's base moves past the record. A device without remaining records is marked, and goes when it is derived again.
 * Call in a transaction.
 */
export class ExpiredRemoval {
  private readonly entries: EntryRemoval
  private readonly deviceTies: DeviceTies
  private readonly marks: StaleMarks
  private readonly ties: ExpiredTies
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Connection) {
    this.entries = new EntryRemoval(connection)
    this.deviceTies = new DeviceTies(connection)
    this.marks = new StaleMarks(connection)
    this.ties = new ExpiredTies(connection)
    this.statements = prepareStatements(connection)
  }

  /** Removes records until time is up; returns how many. Call again for the rest. */
  remove(sequences: readonly number[], isOver: () => boolean): number {
    const persons = new Set<number>()
    let done = 0
    while (done < sequences.length && (done === 0 || !isOver())) this.removeOne(sequences[done++] ?? 0, persons)
    for (const person of persons) this.removeIfForgotten(person)
    return done
  }

  private removeOne(sequence: number, persons: Set<number>): void {
    const removed = this.entries.remove(sequence)
    if (removed === null) return
    if (removed.personRow !== null) persons.add(removed.personRow)
    if (removed.deviceRow === null) return
    if (removed.hit !== null) this.forgetVisit(removed.deviceRow, { sequence, ...removed, day: removed.hit.day })
    this.leaveBehind(removed.deviceRow, removed, persons)
  }

  /**
   * Forgets that the device viewed something that day, unless it has another record of that day. Days follow receipts,
   * so the neighbours of the removed record decide, however much the device has recorded.
   */
  private forgetVisit(
    deviceRow: number,
    { day, receivedAt, sequence }: { day: number; receivedAt: number; sequence: number },
  ): void {
    this.statements.forgetVisit.run(deviceRow, day, receivedAt, sequence)
  }

  private leaveBehind(deviceRow: number, removed: RemovedEntry, persons: Set<number>): void {
    const { receivedAt, id, kind, hit } = removed
    const tie = this.ties.at(deviceRow, { at: receivedAt, id })
    if (tie !== null && tie.personRow !== nobody) persons.add(tie.personRow)
    if (hit !== null && kind !== entryKinds.submission) this.advanceBase(deviceRow, { receivedAt, ...hit })
    if (this.statements.anyEntry.get(deviceRow) === null) this.marks.device(deviceRow)
    else {
      this.marks.deviceAgain(deviceRow)
      if (tie !== null) this.ties.endIfEmpty(tie)
    }
  }

  private advanceBase(deviceRow: number, hit: ExpiredHit): void {
    const before = this.statements.base.get(deviceRow)
    if (before === null) return
    const { expiredAt, hitAt, visitAt, viewDay } = advanced(before, hit)
    this.statements.keepBase.run(expiredAt, hitAt, visitAt, viewDay, deviceRow)
  }

  private removeIfForgotten(personRow: number): void {
    if (this.statements.anySubmission.get(personRow) !== null || this.hasRecords(personRow)) return
    for (const { deviceRow } of this.statements.devices.all(personRow)) this.deviceTies.end(deviceRow, personRow)
    this.statements.removePerson.run(personRow)
  }

  /** Latest ties first, which most likely have records left: a device may have been tied ten thousand times. */
  private hasRecords(personRow: number): boolean {
    const { tieBefore, anyInIntervals } = this.statements
    let tie = tieBefore.get(personRow, Number.MAX_SAFE_INTEGER, 0, '')
    while (tie !== null) {
      if (anyInIntervals.get(intervalsJson([intervalOf(tie)])) !== null) return true
      tie = tieBefore.get(personRow, tie.deviceRow, tie.at, tie.id)
    }
    return false
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    tieBefore: raw.query<OwnTieRow, [number, number, number, string]>(
      `SELECT ${ownTieColumns}
       FROM device_tie tie WHERE person_row = ? AND (device_row, received_at, entry_id) < (?, ?, ?)
       ORDER BY device_row DESC, received_at DESC, entry_id DESC LIMIT 1`,
    ),
    devices: raw.query<{ deviceRow: number }, [number]>(
      'SELECT DISTINCT device_row AS deviceRow FROM device_tie WHERE person_row = ?',
    ),
    anyEntry: raw.query<object, [number]>('SELECT 1 FROM device_entry WHERE device_row = ? LIMIT 1'),
    forgetVisit: raw.query<null, [number, number, number, number]>(
      `DELETE FROM visitor_day WHERE device_row = ?1 AND day = ?2
         AND ?2 IS NOT (SELECT day FROM device_entry WHERE device_row = ?1 AND (received_at, sequence) < (?3, ?4)
           ORDER BY received_at DESC, sequence DESC LIMIT 1)
         AND ?2 IS NOT (SELECT day FROM device_entry WHERE device_row = ?1 AND (received_at, sequence) > (?3, ?4)
           ORDER BY received_at, sequence LIMIT 1)`,
    ),
    base: raw.query<ReturnType<typeof advanced>, [number]>(
      `SELECT expired_at AS expiredAt, expired_hit_at AS hitAt, expired_visit_at AS visitAt,
         expired_view_day AS viewDay FROM device WHERE row = ?`,
    ),
    keepBase: raw.query<null, [number | null, number | null, number | null, number | null, number]>(
      `UPDATE device SET expired_at = ?, expired_hit_at = ?, expired_visit_at = ?, expired_view_day = ? WHERE row = ?`,
    ),
    anySubmission: raw.query<object, [number]>('SELECT 1 FROM submission_fact WHERE person_row = ? LIMIT 1'),
    anyInIntervals: raw.query<object, [string]>(`SELECT 1 ${entriesWithin} LIMIT 1`),
    removePerson: raw.query<null, [number]>('DELETE FROM person WHERE row = ?'),
  }
}
