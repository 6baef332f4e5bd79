import { addressText } from '../../config/address-text.ts'
import type { Config } from '../../config/config.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { type FolderLock, isHeld, takeFolderLock } from '../../storage/lock/folder-lock.ts'

/** Locks the data folder for this server. @throws OperatorError that names the process that has it */
export function lockForServing({ dataDir, server, https }: Config): FolderLock {
  const lock = takeFolderLock(dataDir, 'serve', `capture serve on ${addressText(server.listen ?? https.listen)}`)
  if (isHeld(lock)) return lock
  throw new OperatorError(
    `The data folder ${dataDir} is in use by process ${lock.pid} (${lock.doing}, since ${lock.since}). Stop that process first, or set another data_dir.`,
  )
}

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
