import { OperatorError } from '../../lib/operator-error.ts'

/** What to do about a database that is gone. */
export const lostAdvice = 'Stop `serve` and restore the latest backup: capture restore FILE.'

/** About a damaged one, wherever it shows. */
export const restoreAdvice = `${lostAdvice} Before that, \`capture export\` prints what can still be read of what came since.`

/** About one that no command can open any more, an export neither. */
export const unopenedAdvice = `${lostAdvice} Keep the folder that it moves aside: what came since that backup is in there alone.`

const damageCodes = /^(SQLITE_CORRUPT.*|SQLITE_NOTADB)$/

/** What the disk under the data folder may be at fault for, by the codes of the system and of SQLite. */
const faults: [codes: RegExp, message: string][] = [
  [
    /^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/,
    'the disk (or its owner’s quota) is full. Make room on it and run the command again',
  ],
  [
    /^(EROFS|SQLITE_READONLY.*)$/,
    'the data folder cannot be written to. Mount its disk writable, or run the command as the owner of the folder',
  ],
  [/^(EIO|SQLITE_IOERR.*)$/, 'the disk reports an error. Look at it (dmesg, smartctl) before you go on'],
  [/^SQLITE_BUSY.*$/, 'another command has been writing for long. Run the command again when it is done'],
  [damageCodes, `the database is damaged. ${restoreAdvice}`],
]

/** Whether it is the database itself that failed, and not the disk below it. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && damageCodes.test(String(error.code))) || isDamage(error.cause)
}

/** What the operator is told when a command failed because of the disk; `null` when it was not the disk. */
export function diskFault(error: unknown): OperatorError | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  const fault = faults.find(([codes]) => codes.test(code))
  if (fault) return new OperatorError(`It could not be done: ${fault[1]}. (${error.message})`)
  return error.cause === undefined ? null : diskFault(error.cause)
}
