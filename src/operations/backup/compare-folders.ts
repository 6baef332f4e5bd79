import { type ErasedAgain, eraseAgain } from './erase-again.ts'
import type { RestorePorts, UndoneRemovals, UnrestoredRecords } from './restore-ports.ts'

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
  /** Why nothing is known of later erasures, in words that complete "because …"; `null`: the log was read. */
  erasuresUnknown: string | null
}

type ComparingPorts = Pick<RestorePorts, 'folders' | 'databases'>
type Compared = Pick<FolderComparison, 'leftBehind' | 'undone' | 'notCompared'>
type Erased = Pick<FolderComparison, 'erasedAgain' | 'erasuresUnknown'>

/**
 * Compares the present folder with the restored one, and erases again from the restored one what the present folder's log says
 * was erased. A damaged present folder never stops a restore.
 */
export async function compareFolders(
  { folders, databases }: ComparingPorts,
  { dataDir, staged }: { dataDir: string; staged: string },
): Promise<FolderComparison> {
  const present = folders.present(dataDir)
  if (present === null) {
    const absent = `there was no box in ${dataDir} to compare with`
    const unknown = { leftBehind: null, undone: null, erasedAgain: null }
    return { comparedWith: null, ...unknown, notCompared: absent, erasuresUnknown: absent }
  }
  const { folder } = present
  const compared = compare(databases, present, staged)
  return { comparedWith: folder, ...compared, ...(await eraseByLog(databases, present, staged)) }
}

interface Present {
  folder: string
  database: string
}

function compare(databases: ComparingPorts['databases'], { folder, database }: Present, staged: string): Compared {
  try {
    return { ...databases.compare(database, staged), notCompared: null }
  } catch (error) {
    return { leftBehind: null, undone: null, notCompared: unreadable(folder, error) }
  }
}

async function eraseByLog(
  databases: ComparingPorts['databases'],
  { folder, database }: Present,
  staged: string,
): Promise<Erased> {
  const log = readLog(databases, { folder, database })
  if (typeof log === 'string') return { erasedAgain: null, erasuresUnknown: log }
  return { erasedAgain: await eraseAgain(databases, staged, log), erasuresUnknown: null }
}

function readLog(databases: ComparingPorts['databases'], { folder, database }: Present) {
  try {
    return databases.erasureLog(database) ?? `the version that wrote ${folder} kept no log of erasures`
  } catch (error) {
    return unreadable(folder, error)
  }
}

const unreadable = (folder: string, error: unknown): string =>
  `the database in ${folder} could not be read (${(error as Error).message})`
