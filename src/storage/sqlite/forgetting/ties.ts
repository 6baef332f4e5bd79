import type { Receipt } from '../../../processing/ledger-item.ts'
import type { Connection } from '../database/connection.ts'
import { entriesWithin } from '../lookup/many-keys.ts'
import { intervalOf, intervalsJson, type OwnTieRow, ownTieColumns } from '../persons/own-records.ts'
import { NamedPersons, type RemovedPerson } from '../processing/person-rows.ts'
import { nobody } from '../schema/processing-schema.ts'

/** Ties changed in one transaction: a few milliseconds, however many the device has. */
const tiesPerStep = 1000
/** Ties of a person that retention leaves alone: ending them all at once takes a few milliseconds. */
const keptMax = 200

interface Tie extends OwnTieRow {
  personRow: number
}

/** Whose devices are, as erasure and retention end it. Call in a transaction. */
export class Ties {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly persons: NamedPersons

  constructor(connection: Connection) {
    this.statements = prepareStatements(connection)
    this.persons = new NamedPersons(connection.raw)
  }

  /** The tie that decides whose a record of the device is. */
  at(deviceRow: number, { at, id }: Receipt): Tie | null {
    return this.statements.upTo.get(deviceRow, at, id) ?? this.statements.first.get(deviceRow)
  }

  /**
   * Does a part of what `end` would do at once, earliest ties first: the latest one shows that the person's next record
   * is theirs. Returns whether there was anything to do; call until there is not.
   */
  trim(deviceRow: number, personRow: number): boolean {
    if (this.statements.many.get(deviceRow, personRow) === null) return false
    this.endFirst(deviceRow, personRow, tiesPerStep)
    return true
  }

  /**
   * Where others had the device too, its records since the person's tie stay nobody's: they were not theirs before and
   * do not become so.
   */
  end(deviceRow: number, personRow: number): void {
    this.endFirst(deviceRow, personRow, -1)
  }

  /**
   * Merges adjacent ties of one person once the first has no records left, so that the final cleanup stays short. Of a person
   * with hundreds of ties, such a time becomes nobody's. Until then it stays theirs, because an erasure needs it to know which
   * touches of others' submissions came from their expired records.
   */
  endIfEmpty(tie: Tie): void {
    const { before, personAt, isManyTied, remove, give } = this.statements
    const { deviceRow, at, id, personRow, nextAt, nextId } = tie
    if (nextAt === null || nextId === null || this.hasEntry(tie)) return
    const next = personAt.get(deviceRow, nextAt, nextId)?.personRow
    if (next === personRow) {
      remove.run(deviceRow, nextAt, nextId)
      return
    }
    const previous = before.get(deviceRow, at, id)?.personRow
    if (previous === personRow) remove.run(deviceRow, at, id)
    if (previous === personRow || isManyTied.get(personRow) === null) return
    if (previous === nobody) remove.run(deviceRow, at, id)
    else give.run(nobody, deviceRow, at, id)
    if (next === nobody) remove.run(deviceRow, nextAt, nextId)
  }

  /** Ends the ties of a person without records, and removes them. */
  endIfForgotten(personRow: number): void {
    if (this.statements.anySubmission.get(personRow) !== null || this.hasRecords(personRow)) return
    for (const { deviceRow } of this.statements.devices.all(personRow)) this.end(deviceRow, personRow)
    this.removePerson(personRow)
  }

  /** `null`: something is theirs still. */
  removePerson(personRow: number): RemovedPerson | null {
    return this.persons.removeUnnamed(personRow)
  }

  /** Latest ties first, which most likely have records left: a device may have been tied ten thousand times. */
  private hasRecords(personRow: number): boolean {
    const { tieBefore } = this.statements
    let tie = tieBefore.get(personRow, Number.MAX_SAFE_INTEGER, 0, '')
    while (tie !== null) {
      if (this.hasEntry(tie)) return true
      tie = tieBefore.get(personRow, tie.deviceRow, tie.at, tie.id)
    }
    return false
  }

  private hasEntry(tie: OwnTieRow): boolean {
    return this.statements.anyEntry.get(intervalsJson([intervalOf(tie)])) !== null
  }

  private endFirst(deviceRow: number, personRow: number, limit: number): void {
    const { other, removeFirst, giveFirst } = this.statements
    if (other.get(deviceRow, personRow) === null) removeFirst.run(deviceRow, limit)
    else giveFirst.run(nobody, deviceRow, personRow, limit)
  }
}

function prepareStatements({ raw }: Connection) {
  const key = 'device_row, received_at, entry_id'
  const one = 'device_row = ? AND received_at = ? AND entry_id = ?'
  const first = `(${key}) IN (SELECT ${key} FROM device_tie WHERE`
  const inOrder = 'ORDER BY received_at, entry_id LIMIT ?)'
  const latest = 'ORDER BY received_at DESC, entry_id DESC LIMIT 1'
  const tie = `SELECT ${ownTieColumns}, person_row AS personRow FROM device_tie tie WHERE`
  return {
    upTo: raw.query<Tie, [number, number, string]>(
      `${tie} device_row = ? AND (received_at, entry_id) <= (?, ?) ${latest}`,
    ),
    first: raw.query<Tie, [number]>(`${tie} device_row = ? ORDER BY received_at, entry_id LIMIT 1`),
    tieBefore: raw.query<Tie, [number, number, number, string]>(
      `${tie} person_row = ? AND (${key}) < (?, ?, ?) ORDER BY device_row DESC, received_at DESC, entry_id DESC LIMIT 1`,
    ),
    before: raw.query<{ personRow: number }, [number, number, string]>(
      `SELECT person_row AS personRow FROM device_tie WHERE device_row = ? AND (received_at, entry_id) < (?, ?) ${latest}`,
    ),
    personAt: raw.query<{ personRow: number }, [number, number, string]>(
      `SELECT person_row AS personRow FROM device_tie WHERE ${one}`,
    ),
    devices: raw.query<{ deviceRow: number }, [number]>(
      'SELECT DISTINCT device_row AS deviceRow FROM device_tie WHERE person_row = ?',
    ),
    other: raw.query<object, [number, number]>(
      'SELECT 1 FROM device_tie WHERE device_row = ? AND person_row <> ? LIMIT 1',
    ),
    many: raw.query<object, [number, number]>(
      `SELECT 1 FROM device_tie WHERE device_row = ? AND person_row = ? LIMIT 1 OFFSET ${tiesPerStep}`,
    ),
    isManyTied: raw.query<object, [number]>(`SELECT 1 FROM device_tie WHERE person_row = ? LIMIT 1 OFFSET ${keptMax}`),
    anyEntry: raw.query<object, [string]>(`SELECT 1 ${entriesWithin} LIMIT 1`),
    anySubmission: raw.query<object, [number]>('SELECT 1 FROM submission_fact WHERE person_row = ? LIMIT 1'),
    remove: raw.query<null, [number, number, string]>(`DELETE FROM device_tie WHERE ${one}`),
    give: raw.query<null, [number, number, number, string]>(`UPDATE device_tie SET person_row = ? WHERE ${one}`),
    removeFirst: raw.query<null, [number, number]>(`DELETE FROM device_tie WHERE ${first} device_row = ? ${inOrder}`),
    giveFirst: raw.query<null, [number, number, number, number]>(
      `UPDATE device_tie SET person_row = ? WHERE ${first} device_row = ? AND person_row = ? ${inOrder}`,
    ),
  }
}
