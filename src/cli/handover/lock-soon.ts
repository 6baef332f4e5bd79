import type { Config } from '../../config/config.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { FolderLock } from '../../storage/lock/folder-lock.ts'
import { lockForServing } from '../serve/serve-lock.ts'

const pollMs = 10

/** Waits for the lock of a data folder that is about to be released. @throws OperatorError when that takes too long */
export async function lockSoon(config: Config, msMax: number): Promise<FolderLock> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    try {
      return lockForServing(config)
    } catch (error) {
      if (!(error instanceof OperatorError) || waitedMs >= msMax) throw error
    }
    await Bun.sleep(pollMs)
  }
}
