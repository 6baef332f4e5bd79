import type { Box } from '../../operations/box.ts'
import { boxesMovedAside, snapshotsIn } from '../../storage/filesystem/data-folder.ts'
import { freeMegabytes } from '../../storage/filesystem/free-space.ts'
import { readProxyNote } from '../../storage/filesystem/proxy-note.ts'
import { uploadFolders } from '../../storage/filesystem/upload-folders.ts'
import { zipTools } from '../../storage/zip/zip-tools.ts'

/** What a data folder holds beside the database and the assets. */
export const folderPorts = (
  dataDir: string,
): Pick<Box, 'uploads' | 'freeMegabytes' | 'proxyNote' | 'earlierDatabases'> => ({
  uploads: uploadFolders(dataDir, zipTools),
  freeMegabytes: () => freeMegabytes(dataDir),
  proxyNote: () => readProxyNote(dataDir),
  earlierDatabases: () => ({ snapshots: snapshotsIn(dataDir), movedAside: boxesMovedAside(dataDir) }),
})
