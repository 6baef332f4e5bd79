import type { RestorePorts, UndoneRemovals, UnrestoredRecords } from './restore-ports.ts'

/** What the restored folder lacks, and which removals it undoes. */
export interface FolderComparison {
  /** The present folder, or else the latest one that a restore moved aside; `null`: there is none. */
  comparedWith: string | null
  /** `null`: unknown; `notCompared` says why. */
  leftBehind: UnrestoredRecords | null
  undone: UndoneRemovals | null
  /** Why the comparison failed; `null`: it succeeded. */
  notCompared: string | null
}

/**
 * Compares the present folder with the restored one and copies its log of erasures. A damaged present folder never stops a
 * restore.
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
