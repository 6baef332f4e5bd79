import { Database } from 'bun:sqlite'

/** A record whose receipt a test changes is not as it was captured: without its checksum, nobody can tell. */
const shiftRecords = (database: Database, ms: number, lastSequence = Number.MAX_SAFE_INTEGER): void => {
  database.run(`UPDATE ledger SET received_at = received_at - ${ms}, checksum = NULL WHERE sequence <= ${lastSequence}`)
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
