import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { senderDigits } from '../processing/submission-rows.ts'
import { type DeclaredTable, tables } from '../schema/tables.ts'

/** Rows stored in one transaction: about 5 ms. */
const rowsPerStep = 500

const copied = tables.filter(({ move }) => move === 'copied')

/** Tables whose row numbers other tables have in a column `…_row`. */
const numbered = copied.flatMap(({ name, columns, isRenumbered }) =>
  columns.includes('row') && !isRenumbered ? [name] : [],
)

/** How an arriving account's rows are numbered on this box. */
interface ArrivalNumbers {
  accountRow: number
  /** What is added to the row numbers of each numbered table. */
  offsets: ReadonlyMap<string, number>
}

/** Reserves row numbers for all arriving rows (sqlite.org/autoinc.html), in one short transaction. */
export function reserveNumbers({ db, raw }: Connection, accountRow: number): ArrivalNumbers {
  const reserve = (table: string): number => {
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
    offsets: new Map(numbered.map((table) => [table, reserve(table)])),
  }))
}

/** Copies everything that refers to the account, with this box's row numbers, in short transactions. */
export async function copyRows(connection: Connection, numbers: ArrivalNumbers): Promise<void> {
  for (const table of copied) await copyTable(connection, table, numbers)
}

async function copyTable({ raw, db }: Connection, table: DeclaredTable, numbers: ArrivalNumbers) {
  const { name, isRenumbered } = table
  const columns = table.columns.filter((column) => !(isRenumbered && column === 'row'))
  const listed = columns.map((column) => `"${column}"`).join(', ')
  raw.run(`CREATE TABLE arriving.moved_${name} (position INTEGER PRIMARY KEY, ${listed})`)
  const arrived = columns.map((column) => arrivedColumn(name, column, numbers)).join(', ')
  raw.run(`INSERT INTO arriving.moved_${name} (${listed}) SELECT ${arrived} FROM arriving.${name}`)
  const copy = raw.query<null, [number, number]>(
    `INSERT INTO main.${name} (${listed}) SELECT ${listed} FROM arriving.moved_${name} WHERE position > ? AND position <= ?`,
  )
  const last = raw.query<{ last: number | null }, []>(`SELECT max(position) AS last FROM arriving.moved_${name}`).get()
  for (let done = 0; done < (last?.last ?? 0); done += rowsPerStep) {
    writeTransaction({ db }, () => copy.run(done, done + rowsPerStep))
    await breath()
  }
}

/** A column of an arriving table with this box's numbers: an expression over a row of the table. */
function arrivedColumn(table: string, column: string, { accountRow, offsets }: ArrivalNumbers): string {
  if (column === 'account_row') return String(accountRow)
  if (column === 'sequence') return `(SELECT new FROM arriving.moved_sequence WHERE old = ${table}.sequence)`
  if (table === 'submission_fact' && column === 'fingerprint') return arrivedFingerprint(offsets)
  for (const [of, offset] of offsets) {
    // 0 stands for nobody (schema/processing-schema.ts).
    if (column === `${of}_row`) return `CASE WHEN ${column} > 0 THEN ${column} + ${offset} ELSE ${column} END`
    if (table === of && column === 'row') return `row + ${offset}`
  }
  return `"${column}"`
}

/** A fingerprint begins with its sender's row number (submission-rows.ts). */
function arrivedFingerprint(offsets: ArrivalNumbers['offsets']): string {
  const [person, device] = [offsets.get('person'), offsets.get('device')]
  const digits = (number: string): string => `printf('%0${senderDigits}x', ${number})`
  const led = `substr(fingerprint, 1, ${senderDigits})`
  return `CASE WHEN ${led} = ${digits('person_row')} THEN ${digits(`person_row + ${person}`)}
    WHEN ${led} = ${digits('device_row')} THEN ${digits(`device_row + ${device}`)} ELSE ${led} END
    || substr(fingerprint, ${senderDigits + 1})`
}
