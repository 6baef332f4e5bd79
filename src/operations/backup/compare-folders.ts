import type { ErasureEntry } from '../../ledger/decision.ts'
import type { ErasedAgain, RestorePorts, UndoneRemovals, UnrestoredRecords } from './backup-ports.ts'

/** What the restored folder lacks, which removals it undoes, and what was erased from it again. */
export interface FolderComparison {
  /** The present folder, or else the latest one that a restore moved aside; `null`: there is none. */
  comparedWith: string | null
  /** `null`: unknown; `notCompared` says why. */
  leftBehind: UnrestoredRecords | null
  undone: UndoneRemovals | null
  /** Why the comparison failed; `null`: it succeeded. */
  notCompared: string | null
  /** `null`: nothing is known of erasures after the backup; `erasuresUnknown` says why. */
  erasedAgain: ErasedAgain | null
  /** Why not all is known of later erasures, in words that complete "because …"; `null`: the log was read. */
  erasuresUnknown: string | null
}

interface ComparedFolders {
  dataDir: string
  staged: string
  /** What the backup's own target tells of erasures up to now; `null`: it tells nothing. */
  log: readonly ErasureEntry[] | null
  /** The object that told of the latest erasures, if it is missing. */
  erasuresMissing: string | null
}

/**
 * Compares the present folder with the restored one, and erases again from the restored one what the present folder's log says
 * was erased. A damaged present folder never stops a restore.
 */
export async function compareFolders(
  { folders, databases }: Pick<RestorePorts, 'folders' | 'databases'>,
  { dataDir, staged, log, erasuresMissing }: ComparedFolders,
): Promise<FolderComparison> {
  const present = folders.present(dataDir)
  const absent = `there was no box in ${dataDir} to compare with`

  const reading = <T, U>(read: (database: string) => T, otherwise: (why: string) => U): T | U => {
    if (present === null) return otherwise(absent)
    try {
      return read(present.database)
    } catch (error) {
      return otherwise(`the database in ${present.folder} could not be read (${(error as Error).message})`)
    }
  }
  const compared = reading(
    (database) => ({ ...databases.compare(database, staged), notCompared: null }),
    (notCompared) => ({ leftBehind: null, undone: null, notCompared }),
  )
  // The present folder's log has every erasure.
  const own = reading(databases.erasureLog, (why) => why)
  const known = [own, log].filter((entries) => entries !== null && typeof entries !== 'string')
  const entries = new Map(known.flat().map((entry) => [entry.id, entry]))
  const isWhole = typeof own !== 'string' || erasuresMissing === null
  const whyPartial = isWhole ? null : `the object ${erasuresMissing} is missing`
  return {
    comparedWith: present?.folder ?? null,
    ...compared,
    erasedAgain: known.length === 0 ? null : await databases.eraseAgain(staged, [...entries.values()]),
    erasuresUnknown: known.length === 0 ? String(own) : whyPartial,
  }
}
