import type { Diagnosis } from '../check-result.ts'
import { damagedAdvice, unopenedAdvice } from './disk-fault.ts'

const diskAdvice =
  'The disk is probably at fault, not the database: fix what is reported about disk and data folder, and run this again. Do not restore before that.'

/** A restore would lose records, so do not advise one when only the disk is at fault. */
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
  advice: adviceFor(error, damagedAdvice),
})

interface Checked {
  file: string
  /** The result of SQLite's check of all pages; `null`: no fault. */
  damage(): string | null
}

/** Runs SQLite's own check of all pages; `null`: no fault. @throws when the database cannot be read */
export function damageOf(database: Checked): Diagnosis | null {
  const damage = database.damage()
  return damage === null ? null : { found: `${database.file} is damaged: ${damage}.`, advice: damagedAdvice }
}

/**
 * Diagnoses a database after a command failed on it, in the words of `doctor`; `null`: no fault.
 *
 * @param open opens the database read-only
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
