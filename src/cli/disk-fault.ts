import { OperatorError } from '../lib/operator-error.ts'

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
  [
    /^(SQLITE_CORRUPT.*|SQLITE_NOTADB)$/,
    'the database is damaged. Stop the service, keep a copy of the data folder, and bring back a backup with capture restore',
  ],
]

/** What the operator is told when a command failed because of the disk; `null` when it was not the disk. */
export function diskFault(error: unknown): OperatorError | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  const fault = faults.find(([codes]) => codes.test(code))
  if (fault) return new OperatorError(`It could not be done: ${fault[1]}. (${error.message})`)
  return error.cause === undefined ? null : diskFault(error.cause)
}
