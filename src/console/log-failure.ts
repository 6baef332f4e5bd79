import type { Log } from '../lib/log.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { diskFault } from '../operations/database/storage-fault.ts'

const report = 'Please report it with this line.'

/** Logs what failed for a reason of the box: for a fault that has words of ours, those; otherwise its name and place alone. */
export function logFailure(log: Pick<Log, 'error'>, what: string, error: unknown): void {
  const fault = error instanceof OperatorError ? error : diskFault(error)
  if (fault !== null) log.error(`${what}: ${fault.message}`)
  else
    log.error(`${what} for an internal reason. ${report}`, {
      error: error instanceof Error ? error.name : 'unknown',
      at: error instanceof Error ? (error.stack?.split('\n')[1]?.trim() ?? '') : '',
    })
}

/** What becomes of a download that cannot be read to its end. */
export const loggedBreak =
  (log: Pick<Log, 'error'>) =>
  (error: unknown): void =>
    logFailure(log, 'A download of the console broke off', error)
