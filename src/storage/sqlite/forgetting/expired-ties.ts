import type { Receipt } from '../../../processing/receipt.ts'
import type { Connection } from '../database/connection.ts'
import { entriesWithin } from '../lookup/rows-within.ts'
import { intervalOf, intervalsJson, type OwnTieRow, ownTieColumns } from '../persons/intervals.ts'
import { nobody } from '../processing/schema.ts'

/** Ties of a person that are left alone: ending them all at once takes a few milliseconds. */
const keptMax = 200

interface Tie extends OwnTieRow {
  personRow: number
}

/** Removes ties as their records expire, so that the final cleanup stays short. Call in a transaction. */
export class ExpiredTies {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Connection) {
    this.statements = prepareStatements(connection)
  }

  /** The tie that decides whose a record of the device is. */
  at(deviceRow: number, { at, id }: Receipt): Tie | null {
    return this.statements.upTo.get(deviceRow, at, id) ?? this.statements.first.get(deviceRow)
  }

  /**
   * Merges adjacent ties of one person once the first has no records left. Of a person with hundreds of ties, such a
   * time becomes nobody's. Until then it stays theirs, because an erasure needs it to know which touches of others'
   * submissions came from their expired records.
   */
  endIfEmpty(tie: Tie): void {
    const { before, personAt, many, remove, give, anyEntry } = this.statements
    const { deviceRow, at, id, personRow, nextAt, nextId } = tie
    if (nextAt === null || nextId === null || anyEntry.get(intervalsJson([intervalOf(tie)])) !== null) return
    const next = personAt.get(deviceRow, nextAt, nextId)?.personRow
    if (next === personRow) {
      remove.run(deviceRow, nextAt, nextId)
      return
    }
    const previous = before.get(deviceRow, at, id)?.personRow
    if (previous === personRow) remove.run(deviceRow, at, id)
    if (previous === personRow || many.get(personRow) === null) return
    if (previous === nobody) remove.run(deviceRow, at, id)
    else give.run(nobody, deviceRow, at, id)
    if (next === nobody) remove.run(deviceRow, nextAt, nextId)
  }
}

function prepareStatements({ raw }: Connection) {
  const key = 'device_row = ? AND received_at = ? AND entry_id = ?'
  const tie = `SELECT ${ownTieColumns}, person_row AS personRow FROM device_tie tie WHERE device_row = ?`
  return {
    upTo: raw.query<Tie, [number, number, string]>(
      `${tie} AND (received_at, entry_id) <= (?, ?) ORDER BY received_at DESC, entry_id DESC LIMIT 1`,
    ),
    first: raw.query<Tie, [number]>(`${tie} ORDER BY received_at, entry_id LIMIT 1`),
    before: raw.query<{ personRow: number }, [number, number, string]>(
      `SELECT person_row AS personRow FROM device_tie WHERE device_row = ? AND (received_at, entry_id) < (?, ?)
       ORDER BY received_at DESC, entry_id DESC LIMIT 1`,
    ),
    personAt: raw.query<{ personRow: number }, [number, number, string]>(
      `SELECT person_row AS personRow FROM device_tie WHERE ${key}`,
    ),
    many: raw.query<object, [number]>(`SELECT 1 FROM device_tie WHERE person_row = ? LIMIT 1 OFFSET ${keptMax}`),
    anyEntry: raw.query<object, [string]>(`SELECT 1 ${entriesWithin} LIMIT 1`),
    remove: raw.query<null, [number, number, string]>(`DELETE FROM device_tie WHERE ${key}`),
    give: raw.query<null, [number, number, number, string]>(`UPDATE device_tie SET person_row = ? WHERE ${key}`),
  }
}
