import type { Box } from '../../operations/box.ts'
import { boxesMovedAside, snapshotsIn } from '../../storage/filesystem/data-folder.ts'
import { freeMegabytes } from '../../storage/filesystem/free-space.ts'
import { readProxyNote } from '../../storage/filesystem/proxy-note.ts'

/** What operations read of the data folder beside the database. */
export const folderPorts = (dataDir: string): Pick<Box, 'freeMegabytes' | 'proxyNote' | 'earlierDatabases'> => ({
  freeMegabytes: () => freeMegabytes(dataDir),
  proxyNote: () => readProxyNote(dataDir),
  earlierDatabases: () => ({ snapshots: snapshotsIn(dataDir), movedAside: boxesMovedAside(dataDir) }),
})
