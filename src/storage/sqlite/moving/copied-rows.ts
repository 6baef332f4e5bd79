import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { type ArrivalNumbers, arrivedColumn } from './arrival-numbers.ts'
import { copiedTables, type MovedTable } from './moved-tables.ts'

/** Rows stored in one transaction: about 5 ms. */
const rowsPerStep = 500

/** Copies everything that refers to the account, with this box's row numbers, in short transactions. */
export async function copyRows(connection: Connection, numbers: ArrivalNumbers): Promise<void> {
  for (const table of copiedTables) await copyTable(connection, table, numbers)
}

async function copyTable({ raw, db }: Connection, { name, numbered }: MovedTable, numbers: ArrivalNumbers) {
  const columns = columnsOf({ raw }, name).filter((column) => column !== numbered)
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

const columnsOf = ({ raw }: Pick<Connection, 'raw'>, table: string): string[] =>
  raw
    .query<{ name: string }, [string]>(`SELECT name FROM pragma_table_info(?, 'arriving') ORDER BY cid`)
    .all(table)
    .map(({ name }) => name)
