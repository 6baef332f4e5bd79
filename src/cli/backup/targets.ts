import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupTarget } from '../../backup/target/backup-target.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { TargetPorts } from '../../operations/backup/back-up-now.ts'
import { type VerifiedTargets, verifyTarget } from '../../operations/backup/restore-target.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { makeScratchFolder } from '../../storage/filesystem/scratch-folder.ts'
import { FileTargetStates } from '../../storage/filesystem/target-states.ts'
import { boxDatabases, restorePorts } from '../open.ts'
import { copyInThread } from '../threads/backup-threads.ts'

/** What a command backs up with, beside the opened box. */
export async function targetPorts({ dataDir }: Config): Promise<TargetPorts> {
  const { openBackupSource } = await boxDatabases()
  const source = openBackupSource(databaseFile(dataDir), copyInThread)
  return {
    source,
    states: new FileTargetStates(dataDir),
    scratch: () => backupScratch(dataDir),
    close: () => source.close(),
  }
}

/** A file in the data folder for a copy of the database. It goes with the copy; a killed process's goes with the next. */
export function backupScratch(dataDir: string): { file: string; remove(): void } {
  const { dir, remove } = makeScratchFolder(join(dataDir, 'capture.db'), dataDir)
  return { file: join(dir, 'capture.db'), remove }
}

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

const identityPattern = /^AGE-SECRET-KEY-[A-Z0-9-]+$/

/** The identities in a file as `age-keygen` writes it: one a line, comments begin with `#`. */
export async function identitiesIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new OperatorError(`The identity file ${file} cannot be read: ${error.message}.`)
  })
  const lines = text.split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => identityPattern.test(line))
  if (identities.length > 0) return identities
  throw new OperatorError(`${file} holds no age identity: a line that begins with AGE-SECRET-KEY-1.`)
}
