import type { Config } from '../../../config/config.ts'
import type { TargetPorts } from '../../../operations/backup/backup-ports.ts'
import { databaseFile } from '../../../storage/filesystem/data-folder.ts'
import { FileTargetStates } from '../../../storage/filesystem/target-states.ts'
import { boxDatabases } from '../../open.ts'
import { copyInThread } from '../../threads/copy-thread.ts'
import { backupScratch } from './backup-scratch.ts'

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
