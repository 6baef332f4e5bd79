import { visitOf } from '../../../processing/figures/hit-bits.ts'
import type { Connection } from '../database/connection.ts'
import { intervalOf, intervalsJson, type OwnTieRow, ownTieColumns } from '../persons/intervals.ts'
import { nobody } from '../processing/schema.ts'
import { DeviceEnd } from './device-end.ts'
import { EntryRemoval, type RemovedEntry } from './entry-removal.ts'
import { ExpiredTies } from './expired-ties.ts'
import { entriesHeld } from './own-records.ts'

/** Ties removed in one transaction: a few milliseconds. */
const tiesPerStep = 1000

/**
 * Removes records that are kept no longer with what was made of them: devices that recorded nothing else, and persons
 * of whom no record is left. What was counted stays counted. Call in a transaction.
 */
export class ExpiredRemoval {
  private readonly entries: EntryRemoval
  private readonly devices: DeviceEnd
  private readonly ties: ExpiredTies
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Connection) {
    this.entries = new EntryRemoval(connection)
    this.devices = new DeviceEnd(connection)
    this.ties = new ExpiredTies(connection)
    this.statements = prepareStatements(connection)
  }

  /** Removes until it is time to stop; answers how many of them. Call it again for those that are left. */
  remove(sequences: readonly number[], isOver: () => boolean): number {
    const persons = new Set<number>()
    let done = 0
    while (done < sequences.length && (done === 0 || !isOver())) {
      const sequence = sequences[done] ?? 0
      if (this.trimTies(sequence)) break
      this.removeOne(sequence, persons)
      done++
    }
    for (const person of persons) this.removeIfForgotten(person)
    return done
  }

  /**
   * Before the last record of a device that was tied thousands of times: takes a part of the ties, but for the one that
   * tells whose the record is. Answers whether it did.
   */
  private trimTies(sequence: number): boolean {
    const last = this.statements.lastOfManyTies.get(sequence)
    if (last === null) return false
    this.statements.trimTies.run(last.deviceRow, last.receivedAt, last.id)
    return true
  }

  private removeOne(sequence: number, persons: Set<number>): void {
    const removed = this.entries.remove(sequence)
    if (removed === null) return
    if (removed.personRow !== null) persons.add(removed.personRow)
    const { deviceRow } = removed
    if (deviceRow === null) return
    const tie = this.ties.at(deviceRow, { at: removed.receivedAt, id: removed.id })
    if (tie !== null && tie.personRow !== nobody) persons.add(tie.personRow)
    if (removed.hit !== null) this.devices.forgetVisit(deviceRow, removed.hit.day)
    if (this.statements.anyEntry.get(deviceRow) !== null) {
      this.keepBoundary(deviceRow, removed)
      if (tie !== null) this.ties.endIfEmpty(tie)
      return
    }
    this.statements.removeTies.run(deviceRow)
    this.devices.removeIfBare(deviceRow, { figuresToo: false })
  }

  /** Where a later recount of the device's records begins (recount.ts). */
  private keepBoundary(deviceRow: number, { hit, receivedAt }: RemovedEntry): void {
    const { isView, goesOn } = visitOf(hit?.counted ?? 0)
    if (goesOn) this.statements.keepBoundary.run(deviceRow, receivedAt, isView ? (hit?.day ?? null) : null)
  }

  private removeIfForgotten(personRow: number): void {
    if (this.statements.anySubmission.get(personRow) !== null || this.hasRecords(personRow)) return
    for (const { deviceRow } of this.statements.devices.all(personRow)) this.devices.untie(deviceRow, personRow)
    this.statements.removePerson.run(personRow)
  }

  /** Latest ties first, where records are left if anywhere: a device may have been tied ten thousand times. */
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
    lastOfManyTies: raw.query<{ deviceRow: number; receivedAt: number; id: string }, [number]>(
      `SELECT device.row AS deviceRow, ledger.received_at AS receivedAt, ledger.id
       FROM ledger CROSS JOIN device ON device.account_row = ledger.account_row
         AND device.id = CASE WHEN json_valid(record) THEN record ->> '$.deviceId' END
       WHERE ledger.sequence = ?
         AND (SELECT 1 FROM device_tie WHERE device_row = device.row LIMIT 1 OFFSET ${tiesPerStep}) IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM device_entry WHERE device_row = device.row AND sequence <> ledger.sequence)`,
    ),
    trimTies: raw.query<null, [number, number, string]>(
      `DELETE FROM device_tie WHERE (device_row, received_at, entry_id) IN (
         SELECT device_row, received_at, entry_id FROM device_tie WHERE device_row = ?1
           AND (received_at, entry_id) IS NOT (
             SELECT received_at, entry_id FROM device_tie WHERE device_row = ?1
             ORDER BY received_at, entry_id LIMIT 1)
           AND (received_at, entry_id) IS NOT (
             SELECT received_at, entry_id FROM device_tie WHERE device_row = ?1 AND (received_at, entry_id) <= (?2, ?3)
             ORDER BY received_at DESC, entry_id DESC LIMIT 1)
         LIMIT ${tiesPerStep})`,
    ),
    removeTies: raw.query<null, [number]>('DELETE FROM device_tie WHERE device_row = ?'),
    keepBoundary: raw.query<null, [number, number, number | null]>(
      `UPDATE device SET expired_hit_at = max(coalesce(expired_hit_at, ?2), ?2),
         expired_view_day = coalesce(max(coalesce(expired_view_day, ?3), ?3), expired_view_day)
       WHERE row = ?1`,
    ),
    anySubmission: raw.query<object, [number]>('SELECT 1 FROM submission_fact WHERE person_row = ? LIMIT 1'),
    anyInIntervals: raw.query<object, [string]>(`SELECT 1 ${entriesHeld} LIMIT 1`),
    removePerson: raw.query<null, [number]>('DELETE FROM person WHERE row = ?'),
  }
}
