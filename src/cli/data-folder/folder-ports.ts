import type { Config } from '../../config/config.ts'
import type { Box } from '../../operations/box.ts'
import { boxesMovedAside, snapshotsIn } from '../../storage/filesystem/data-folder.ts'
import { adoptedRevision, readProxyNote } from '../../storage/filesystem/folder-notes.ts'
import { freeMegabytes } from '../../storage/filesystem/free-space.ts'
import { FileTargetStates } from '../../storage/filesystem/target-states.ts'
import { uploadFolders } from '../../storage/filesystem/upload-folders.ts'
import { zipTools } from '../../storage/zip/zip-tools.ts'

type FolderPorts = Pick<
  Box,
  'uploads' | 'freeMegabytes' | 'adoptedRevision' | 'proxyNote' | 'earlierDatabases' | 'targets' | 'targetState'
>

/** What a data folder holds beside the database and the assets, and where it is backed up to. */
export const folderPorts = ({ dataDir, backup }: Config): FolderPorts => ({
  uploads: uploadFolders(dataDir, zipTools),
  freeMegabytes: () => freeMegabytes(dataDir),
  adoptedRevision: () => adoptedRevision(dataDir),
  proxyNote: () => readProxyNote(dataDir),
  earlierDatabases: () => ({ snapshots: snapshotsIn(dataDir), movedAside: boxesMovedAside(dataDir) }),
  async targets() {
    const { openTargets } = await import('./open-target.ts')
    return openTargets(backup)
  },
  targetState: (url) => new FileTargetStates(dataDir).read(url),
})
