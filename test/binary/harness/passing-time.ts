import { Database } from 'bun:sqlite'

interface Record {
  sequence: number
  account: string
  kind: number
  id: string
  at: number
  record: string
}

/** Gives each record its new receipt, and the checksum that it would have been captured with. */
const shiftRecords = (database: Database, ms: number, lastSequence = Number.MAX_SAFE_INTEGER): void => {
  const records = database
    .query<Record, [number, number]>(
      `SELECT sequence, account.id AS account, kind, ledger.id, received_at - ? AS at, record
       FROM ledger JOIN account ON account.row = account_row WHERE sequence <= ?`,
    )
    .all(ms, lastSequence)
  const keep = database.query('UPDATE ledger SET received_at = ?, checksum = ? WHERE sequence = ?')
  for (const { sequence, account, kind, id, at, record } of records)
    keep.run(at, Bun.hash.crc32(`${account}\t${kind}\t${id}\t${at}\t${record}`), sequence)
  database.run(`UPDATE submission_fact SET received_at = received_at - ${ms} WHERE sequence <= ${lastSequence}`)
}

/** A server may be writing. */
function opened(file: string): Database {
  const database = new Database(file, { readwrite: true, strict: true })
  database.run('PRAGMA busy_timeout = 5000')
  return database
}

/** Makes records so much older, up to a sequence of the ledger. No time has passed for the box itself. */
export function ageRecords(databaseFile: string, ms: number, lastSequence?: number): void {
  using database = opened(databaseFile)
  shiftRecords(database, ms, lastSequence)
}

const instants = [
  ['clock_seen', 'at'],
  ['retention_state', 'passed_at'],
  ['account', 'created_at'],
  ['signing_key', 'created_at'],
] as const

/** Makes all that the box has kept of its past so much older: as if its clock had jumped ahead. Negative: back. */
export function jumpAhead(databaseFile: string, ms: number): void {
  using database = opened(databaseFile)
  database
    .transaction(() => {
      shiftRecords(database, ms)
      for (const [table, column] of instants) database.run(`UPDATE ${table} SET ${column} = ${column} - ${ms}`)
    })
    .immediate()
}

/** As if the machine had been started again since the box last saw its clock. */
export function startMachineAnew(databaseFile: string): void {
  using database = opened(databaseFile)
  database.run(`UPDATE clock_seen SET boot_id = 'an earlier one'`)
}
