import type { Connection } from '../database/connection.ts'
import { nobody } from '../processing/schema.ts'

/** Ties changed in one transaction: a few milliseconds, however many the device has. */
const tiesPerStep = 1000

/** Ends a person's ownership of devices, in parts if there are many ties. Call in a transaction. */
export class DeviceTies {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Connection) {
    this.statements = prepareStatements(connection)
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

  private endFirst(deviceRow: number, personRow: number, limit: number): void {
    const { other, remove, release } = this.statements
    if (other.get(deviceRow, personRow) === null) remove.run(deviceRow, limit)
    else release.run(nobody, deviceRow, personRow, limit)
  }
}

function prepareStatements({ raw }: Connection) {
  const key = 'device_row, received_at, entry_id'
  const first = `(${key}) IN (SELECT ${key} FROM device_tie WHERE`
  const inOrder = 'ORDER BY received_at, entry_id LIMIT ?)'
  return {
    other: raw.query<object, [number, number]>(
      'SELECT 1 FROM device_tie WHERE device_row = ? AND person_row <> ? LIMIT 1',
    ),
    many: raw.query<object, [number, number]>(
      `SELECT 1 FROM device_tie WHERE device_row = ? AND person_row = ? LIMIT 1 OFFSET ${tiesPerStep}`,
    ),
    remove: raw.query<null, [number, number]>(`DELETE FROM device_tie WHERE ${first} device_row = ? ${inOrder}`),
    release: raw.query<null, [number, number, number, number]>(
      `UPDATE device_tie SET person_row = ? WHERE ${first} device_row = ? AND person_row = ? ${inOrder}`,
    ),
  }
}
