import { repairAdvice } from '../../ledger/ledger.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/** Advice for a missing database. */
export const lostAdvice = 'Stop `serve` and restore the latest backup: capture restore FILE.'

/** Advice for a damaged database. */
export const damagedAdvice = `${repairAdvice} What is missing may be in a backup.`

/** Advice for a database that cannot even be opened. */
export const unopenedAdvice = `${lostAdvice} Keep the folder that it moves aside: only that folder has the records since the backup.`

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

/** Whether the error means that the database is damaged, not that the disk failed. */
export function isDatabaseDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && damageCodes.test(String(error.code))) || isDatabaseDamage(error.cause)
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
  const code = 'code' in error ? String(error.code) : ''
  const fault = faults.find(([codes]) => codes.test(code))
  if (fault) return new OperatorError(`It could not be done: ${fault[1]}. (${error.message})`)
  return error.cause === undefined ? null : diskFault(error.cause)
}
