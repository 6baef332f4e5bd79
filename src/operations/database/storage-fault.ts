import { repairAdvice } from '../../ledger/ledger.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Diagnosis } from '../check-result.ts'

export const lostAdvice = 'Stop `serve` and restore the latest backup: capture restore FILE.'

const damagedAdvice = `${repairAdvice} What is missing may be in a backup.`

const unopenedAdvice = `${lostAdvice} Keep the folder that it moves aside: only that folder has the records since the backup.`

const damageCodes = /^(SQLITE_CORRUPT.*|SQLITE_NOTADB)$/

/** Faults of the disk under the data folder, by error codes of the system and of SQLite. */
const faults: [codes: RegExp, message: string][] = [
  [
    /^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/,
    'the disk (or its owner’s quota) is full. Free some space and run the command again',
  ],
  [
    /^(EROFS|SQLITE_READONLY.*)$/,
    'the data folder cannot be written to. Mount its disk writable, or run the command as the owner of the folder',
  ],
  [/^(EIO|SQLITE_IOERR.*)$/, 'the disk reports an error. Look at it (dmesg, smartctl) before you go on'],
  [/^SQLITE_BUSY.*$/, 'another command has been writing for long. Run the command again when it is done'],
  [damageCodes, `the database is damaged. ${damagedAdvice}`],
]

/** What SQLite and the storage say of a text that a disk has changed so that it says nothing; a code says no more. */
export const malformedJson = 'malformed JSON'

const codeOf = (error: Error): string =>
  error.message === malformedJson ? 'SQLITE_CORRUPT' : 'code' in error ? String(error.code) : ''

/** Whether the error means that the database is damaged, not that the disk failed. */
export function isDatabaseDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return damageCodes.test(codeOf(error)) || isDatabaseDamage(error.cause)
}

/** The message for whoever cannot do that. */
export const withoutRepair = (message: string): string =>
  message.replace(repairAdvice, 'Whoever runs the box can repair that.')

/** What ends a call or a page with a sentence: a fault that has one, or a damaged database. `null`: neither. */
export const sayable = (error: unknown): OperatorError | null =>
  error instanceof OperatorError ? error : isDatabaseDamage(error) ? diskFault(error) : null

/** The operator's message for a failure of the disk; `null`: another failure. */
export function diskFault(error: unknown): OperatorError | null {
  if (!(error instanceof Error)) return null
  const code = codeOf(error)
  const fault = faults.find(([codes]) => codes.test(code))
  if (fault) return new OperatorError(`It could not be done: ${fault[1]}. (${error.message})`)
  return error.cause === undefined ? null : diskFault(error.cause)
}

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
  /** The result of SQLite's check of all pages, and of whether its JSON is still JSON; `null`: no fault. */
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
