import type { RestorePorts, UndoneRemovals, UnrestoredRecords } from './restore-ports.ts'

/** What stays behind in the folder that was there, and what comes back with the restored one. */
export interface FolderComparison {
  /** The folder compared with: the one that was there, or else the latest that a restore moved aside; `null`: none. */
  comparedWith: string | null
  /** `null`: not known, and `notCompared` says why. */
  leftBehind: UnrestoredRecords | null
  undone: UndoneRemovals | null
  /** Why nothing could be compared; `null`: it could. */
  notCompared: string | null
}

/**
 * Compares what was there with what takes its place, and takes over what was erased there. Whatever is wrong with the
 * present folder stops no restore.
 */
export function compareFolders(
  { folders, databases }: Pick<RestorePorts, 'folders' | 'databases'>,
  { dataDir, staged }: { dataDir: string; staged: string },
): FolderComparison {
  const present = folders.present(dataDir)
  if (present === null) return unknown(null, `there was no box in ${dataDir} to compare with`)
  const { folder, database } = present
  try {
    return { comparedWith: folder, ...databases.compare(database, staged), notCompared: null }
  } catch (error) {
    return unknown(folder, `the database in ${folder} could not be read (${(error as Error).message})`)
  }
}

const unknown = (comparedWith: string | null, notCompared: string): FolderComparison => ({
  comparedWith,
  leftBehind: null,
  undone: null,
  notCompared,
})
