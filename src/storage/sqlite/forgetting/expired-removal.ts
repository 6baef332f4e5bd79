import type { Connection } from '../connection.ts'
import { intervalsJson, ownershipOf } from '../persons/intervals.ts'
import { nobody } from '../processing/schema.ts'
import { DeviceEnd } from './device-end.ts'
import { EntryRemoval } from './entry-removal.ts'
import { entriesHeld } from './own-records.ts'

/** Longer than any day, and any time zone's distance from UTC. */
const dayReachMs = 50 * 60 * 60_000
const dayMs = 86_400_000

/**
 * Removes records that are kept no longer with what was made of them: devices that recorded nothing else, and persons
 * of whom no record is left. What was counted stays counted. Call in a transaction.
 */
export class ExpiredRemoval {
  private readonly entries: EntryRemoval
  private readonly devices: DeviceEnd
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(private readonly connection: Connection) {
    this.entries = new EntryRemoval(connection)
    this.devices = new DeviceEnd(connection)
    this.statements = prepareStatements(connection)
  }

  /** Removes one at least, and more until it is time to stop; answers how many of them. */
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
    const { deviceRow } = removed
    if (deviceRow === null) return
    for (const { personRow } of this.statements.owners.all(deviceRow)) persons.add(personRow)
    if (removed.day !== null) this.forgetVisit(deviceRow, removed.day)
    if (this.statements.anyEntry.get(deviceRow) !== null) return
    this.statements.removeTies.run(deviceRow)
    this.devices.removeIfBare(deviceRow, { figuresToo: false })
  }

  private forgetVisit(deviceRow: number, day: number): void {
    const around = day * dayMs
    const entry = this.statements.entryOfDay.get(deviceRow, around - dayReachMs, around + dayReachMs, day)
    if (entry === null) this.statements.removeVisitorDay.run(deviceRow, day)
  }

  private removeIfForgotten(personRow: number): void {
    if (personRow === nobody || this.statements.anySubmission.get(personRow) !== null) return
    const { intervals } = ownershipOf(this.connection, personRow)
    if (this.statements.anyInIntervals.get(intervalsJson(intervals)) !== null) return
    for (const { deviceRow } of intervals) this.devices.untie(deviceRow, personRow)
    this.statements.removePerson.run(personRow)
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    owners: raw.query<{ personRow: number }, [number]>(
      'SELECT DISTINCT person_row AS personRow FROM device_tie WHERE device_row = ?',
    ),
    anyEntry: raw.query<object, [number]>('SELECT 1 FROM device_entry WHERE device_row = ? LIMIT 1'),
    entryOfDay: raw.query<object, [number, number, number, number]>(
      'SELECT 1 FROM device_entry WHERE device_row = ? AND received_at BETWEEN ? AND ? AND day = ? LIMIT 1',
    ),
    removeTies: raw.query<null, [number]>('DELETE FROM device_tie WHERE device_row = ?'),
    removeVisitorDay: raw.query<null, [number, number]>('DELETE FROM visitor_day WHERE device_row = ? AND day = ?'),
    anySubmission: raw.query<object, [number]>('SELECT 1 FROM submission_fact WHERE person_row = ? LIMIT 1'),
    anyInIntervals: raw.query<object, [string]>(`SELECT 1 ${entriesHeld} LIMIT 1`),
    removePerson: raw.query<null, [number]>('DELETE FROM person WHERE row = ?'),
  }
}
