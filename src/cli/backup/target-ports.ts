import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { TargetPorts } from '../../operations/backup/back-up-now.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { makeScratchFolder } from '../../storage/filesystem/scratch-folder.ts'
import { FileTargetStates } from '../../storage/filesystem/target-states.ts'
import { boxDatabases } from '../open.ts'
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
