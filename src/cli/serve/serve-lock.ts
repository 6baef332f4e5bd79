import type { Config } from '../../config/config.ts'
import { addressText } from '../../config/values.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { type FolderLock, isHeld, type LockHolder, takeFolderLock } from '../../storage/lock/folder-lock.ts'

/** A command that looks for a service holds the lock for a moment, as does a service that is ending. */
const momentMs = 2000
const pollMs = 10

/**
 * Locks the data folder for this server.
 *
 * @param msMax how long another process may still hold it, in milliseconds
 * @throws OperatorError that names the process that has it
 */
export async function lockForServing({ dataDir, server, https }: Config, msMax = momentMs): Promise<FolderLock> {
  const doing = `capture serve on ${addressText(server.listen ?? https.listen)}`
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const lock = takeFolderLock(dataDir, 'serve', doing)
    if (isHeld(lock)) return lock
    if (waitedMs >= msMax) throw inUse(dataDir, lock)
    await Bun.sleep(pollMs)
  }
}

const inUse = (dataDir: string, { pid, doing, since }: LockHolder): OperatorError =>
  new OperatorError(
    `The data folder ${dataDir} is in use by process ${pid} (${doing}, since ${since}). Stop that process first, or set another data_dir.`,
  )

/** For a command that is about to migrate the database. @throws OperatorError when a server runs on the folder */
export function assertNoServer(dataDir: string): void {
  const lock = takeFolderLock(dataDir, 'serve', 'a migration')
  if (isHeld(lock)) {
    lock.release()
    return
  }
  throw new OperatorError(
    `The database has to be migrated to this version of capture, but an older one is running (process ${lock.pid}: ${lock.doing}). Stop it first; start it again with this version.`,
  )
}
