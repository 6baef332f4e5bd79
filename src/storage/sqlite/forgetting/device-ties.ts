import type { Connection } from '../database/connection.ts'
import { nobody } from '../processing/schema.ts'

/** Ties changed in one transaction: a few milliseconds, however many the device has. */
const tiesPerStep = 1000

/** Ends whose a device was, a part at a time where it was tied many times. Call in a transaction. */
export class DeviceTies {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Connection) {
    this.statements = prepareStatements(connection)
  }

  /** Whether the device was tied to anybody but the person; whom an erasure has made nobody is not counted. */
  hasOthers(deviceRow: number, personRow: number): boolean {
    return this.statements.other.get(deviceRow, personRow, nobody) !== null
  }

  /**
   * Does a part of what `end` would have to do at once, the earliest ties first: by the latest one the person's next
   * record is known as theirs. Answers whether it did; call it until it has not.
   */
  trim(deviceRow: number, personRow: number, { isBare }: { isBare: boolean }): boolean {
    const { many, manyOf, remove, release } = this.statements
    if (this.isOnlyOf(deviceRow, personRow) || (isBare && !this.hasOthers(deviceRow, personRow))) {
      if (many.get(deviceRow, tiesPerStep) === null) return false
      remove.run(deviceRow, tiesPerStep)
    } else {
      if (manyOf.get(deviceRow, personRow, tiesPerStep) === null) return false
      release.run(nobody, deviceRow, personRow, tiesPerStep)
    }
    return true
  }

  /**
   * Of a device that has been nobody's since its first tie, one tie says as much as thousands do: takes a part of them.
   * Answers whether it did; call it until it has not.
   */
  trimNobodys(deviceRow: number): boolean {
    return this.isOnlyOf(deviceRow, nobody) && this.trim(deviceRow, nobody, { isBare: false })
  }

  /**
   * Where others had the device too, what it records from the person's tie on stays nobody's: it was not theirs before,
   * and does not become so.
   */
  end(deviceRow: number, personRow: number): void {
    if (this.isOnlyOf(deviceRow, personRow)) this.removeAll(deviceRow)
    else this.statements.release.run(nobody, deviceRow, personRow, -1)
  }

  removeAll(deviceRow: number): void {
    this.statements.remove.run(deviceRow, -1)
  }

  private isOnlyOf(deviceRow: number, personRow: number): boolean {
    return this.statements.other.get(deviceRow, personRow, personRow) === null
  }
}

function prepareStatements({ raw }: Connection) {
  const key = 'device_row, received_at, entry_id'
  return {
    other: raw.query<object, [number, number, number]>(
      'SELECT 1 FROM device_tie WHERE device_row = ? AND person_row <> ? AND person_row <> ? LIMIT 1',
    ),
    many: raw.query<object, [number, number]>('SELECT 1 FROM device_tie WHERE device_row = ? LIMIT 1 OFFSET ?'),
    manyOf: raw.query<object, [number, number, number]>(
      'SELECT 1 FROM device_tie WHERE device_row = ? AND person_row = ? LIMIT 1 OFFSET ?',
    ),
    remove: raw.query<null, [number, number]>(
      `DELETE FROM device_tie WHERE (${key}) IN (
         SELECT ${key} FROM device_tie WHERE device_row = ? ORDER BY received_at, entry_id LIMIT ?)`,
    ),
    release: raw.query<null, [number, number, number, number]>(
      `UPDATE device_tie SET person_row = ? WHERE (${key}) IN (
         SELECT ${key} FROM device_tie WHERE device_row = ? AND person_row = ?
         ORDER BY received_at, entry_id LIMIT ?)`,
    ),
  }
}
