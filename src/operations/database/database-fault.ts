import type { Diagnosis } from '../diagnosis.ts'
import type { DatabaseInspector } from '../doctor/inspection.ts'
import { restoreAdvice, unopenedAdvice } from './disk-fault.ts'

const diskAdvice =
  'Most likely it is the disk and not the database: mend what is said of disk and data folder, and look again. Restore nothing before.'

/** A backup is older than the records: what a disk keeps shut is not worth one. */
function adviceFor(error: unknown, damageAdvice: string): string {
  const { code = '' } = error as { code?: string }
  return /^SQLITE_(?:FULL|IOERR|CANTOPEN|READONLY|BUSY)/.test(code) ? diskAdvice : damageAdvice
}

export const cannotBeOpened = (file: string, error: unknown): Diagnosis => ({
  found: `${file} cannot be opened: ${(error as Error).message}.`,
  advice: adviceFor(error, unopenedAdvice),
})

export const cannotBeRead = (file: string, error: unknown): Diagnosis => ({
  found: `${file} cannot be read: ${(error as Error).message}.`,
  advice: adviceFor(error, restoreAdvice),
})

type Checked = Pick<DatabaseInspector, 'file' | 'damage'>

/** By SQLite's own check, which reads all of it; `null`: it finds nothing. @throws when it cannot be read */
export function damageOf(database: Checked): Diagnosis | null {
  const damage = database.damage()
  return damage === null ? null : { found: `${database.file} is damaged: ${damage}.`, advice: restoreAdvice }
}

/**
 * What is wrong with a database on which a command failed, in the words of `doctor`; `null`: nothing is.
 *
 * @param open for reading alone
 */
export function databaseFault(file: string, open: () => Checked & { close(): void }): Diagnosis | null {
  let database: ReturnType<typeof open>
  try {
    database = open()
  } catch (error) {
    return cannotBeOpened(file, error)
  }
  try {
    return damageOf(database)
  } catch (error) {
    return cannotBeRead(file, error)
  } finally {
    database.close()
  }
}
