import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { senderDigits } from '../processing/submission-rows.ts'

/** Tables that other tables refer to, and the columns that do. */
const referred = {
  device: 'device_row',
  person: 'person_row',
  destination: 'destination_row',
  delivery: 'delivery_row',
}
type Referred = keyof typeof referred
const referredTables = Object.keys(referred) as Referred[]

/** How an arriving account's rows are numbered on this box. */
export interface ArrivalNumbers {
  accountRow: number
  /** What is added to the row numbers of each table. */
  offsets: Record<Referred, number>
}

/** Reserves row numbers for all arriving rows (sqlite.org/autoinc.html), in one short transaction. */
export function reserveNumbers({ db, raw }: Connection, accountRow: number): ArrivalNumbers {
  const reserve = (table: Referred): number => {
    const used = raw
      .query<{ last: number }, [string]>(
        `SELECT max(coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = ?1), 0),
           coalesce((SELECT max(row) FROM main.${table}), 0)) AS last`,
      )
      .get(table)
    const last = used?.last ?? 0
    const arriving = raw.query<{ last: number | null }, []>(`SELECT max(row) AS last FROM arriving.${table}`).get()
    raw.query('DELETE FROM main.sqlite_sequence WHERE name = ?').run(table)
    raw.query('INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)').run(table, last + (arriving?.last ?? 0))
    return last
  }
  return writeTransaction({ db }, () => ({
    accountRow,
    offsets: Object.fromEntries(referredTables.map((table) => [table, reserve(table)])) as ArrivalNumbers['offsets'],
  }))
}

/** A column of an arriving table with this box's numbers: an expression over a row of the table. */
export function arrivedColumn(table: string, column: string, { accountRow, offsets }: ArrivalNumbers): string {
  if (column === 'account_row') return String(accountRow)
  if (column === 'sequence') return `(SELECT new FROM arriving.moved_sequence WHERE old = ${table}.sequence)`
  if (table === 'submission_fact' && column === 'fingerprint') return arrivedFingerprint(offsets)
  for (const of of referredTables) {
    // 0 stands for nobody (schema.ts).
    if (column === referred[of]) return `CASE WHEN ${column} > 0 THEN ${column} + ${offsets[of]} ELSE ${column} END`
    if (table === of && column === 'row') return `row + ${offsets[of]}`
  }
  return `"${column}"`
}

/** A fingerprint begins with its sender's row number (submission-rows.ts). */
function arrivedFingerprint({ person, device }: ArrivalNumbers['offsets']): string {
  const digits = (number: string): string => `printf('%0${senderDigits}x', ${number})`
  const led = `substr(fingerprint, 1, ${senderDigits})`
  return `CASE WHEN ${led} = ${digits('person_row')} THEN ${digits(`person_row + ${person}`)}
    WHEN ${led} = ${digits('device_row')} THEN ${digits(`device_row + ${device}`)} ELSE ${led} END
    || substr(fingerprint, ${senderDigits + 1})`
}
