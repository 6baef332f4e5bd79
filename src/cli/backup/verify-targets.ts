import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupTarget } from '../../backup/target/backup-target.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { type VerifiedTargets, verifyTarget } from '../../operations/backup/restore-target.ts'
import { makeScratchFolder } from '../../storage/filesystem/scratch-folder.ts'
import { restorePorts } from '../open.ts'

interface Verifying {
  chosen: readonly BackupTarget[]
  identities: readonly string[]
  clock: Clock
  /** Called before each target; what it returns, with each object and at its end. */
  onTarget(): { onObject(): void; onEnd(): void }
}

/** Reads back what targets hold. A target that cannot be read does not hide the others. */
export async function verifyTargets(
  { dataDir }: Pick<Config, 'dataDir'>,
  { chosen, identities, clock, onTarget }: Verifying,
): Promise<VerifiedTargets> {
  const ports = await restorePorts(clock)
  const found: VerifiedTargets = { verified: [], faults: [] }
  for (const target of chosen) {
    const scratch = makeScratchFolder(placeBeside(dataDir), dataDir)
    const { onObject, onEnd } = onTarget()
    try {
      const wanted = { target, identities, folder: scratch.dir, now: clock.now() }
      found.verified.push(await verifyTarget(ports, wanted, onObject))
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      found.faults.push(error.message)
    } finally {
      onEnd()
      scratch.remove()
    }
  }
  return found
}

/** In the data folder, whose volume has room for its database, or where that would be. */
const placeBeside = (dataDir: string): string => (existsSync(dataDir) ? join(dataDir, 'capture.db') : dataDir)
