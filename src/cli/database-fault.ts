import { restoreAdvice, unopenedAdvice } from '../operations/database/disk-fault.ts'
import { type Connection, openReader } from '../storage/sqlite/connection.ts'
import { integrityFault } from '../storage/sqlite/verified-copy.ts'

/** What is wrong with the database, and what to do. `serve`, every other command and `doctor` say the same. */
export interface DatabaseFault {
  /** One sentence. */
  found: string
  advice: string
}

const diskAdvice =
  'Most likely it is the disk and not the database: mend what is said of disk and data folder, and look again. Restore nothing before.'

/** A backup is older than the records: what a disk keeps shut is not worth one. */
function adviceFor(error: unknown, damageAdvice: string): string {
  const { code = '' } = error as { code?: string }
  return /^SQLITE_(?:FULL|IOERR|CANTOPEN|READONLY|BUSY)/.test(code) ? diskAdvice : damageAdvice
}

export const cannotBeOpened = (file: string, error: unknown): DatabaseFault => ({
  found: `${file} cannot be opened: ${(error as Error).message}.`,
  advice: adviceFor(error, unopenedAdvice),
})

export const cannotBeRead = (file: string, error: unknown): DatabaseFault => ({
  found: `${file} cannot be read: ${(error as Error).message}.`,
  advice: adviceFor(error, restoreAdvice),
})

/** By SQLite's own check, which reads all of it; `null`: it finds nothing. @throws when it cannot be read */
export function damageOf(file: string, { raw }: Connection): DatabaseFault | null {
  const broken = integrityFault(raw)
  return broken === null ? null : { found: `${file} is damaged: ${broken}.`, advice: restoreAdvice }
}

/** Looks at a database on which SQLite failed; `null`: nothing is wrong with this one. */
export function faultOf(file: string): DatabaseFault | null {
  let reader: Connection
  try {
    reader = openReader(file)
  } catch (error) {
    return cannotBeOpened(file, error)
  }
  try {
    return damageOf(file, reader)
  } catch (error) {
    return cannotBeRead(file, error)
  } finally {
    reader.raw.close()
  }
}
