import type { ErasureEntry } from '../../ledger/decision.ts'
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

type ComparingPorts = Pick<RestorePorts, 'folders' | 'databases'>
type Compared = Pick<FolderComparison, 'leftBehind' | 'undone' | 'notCompared'>
type Erased = Pick<FolderComparison, 'erasedAgain' | 'erasuresUnknown'>

/**
 * Compares the present folder with the restored one, and erases again from the restored one what the present folder's log says
 * was erased. A damaged present folder never stops a restore.
 */
export async function compareFolders(
  { folders, databases }: ComparingPorts,
  { dataDir, staged, log, erasuresMissing }: ComparedFolders,
): Promise<FolderComparison> {
  const present = folders.present(dataDir)
  if (present === null) {
    const absent = `there was no box in ${dataDir} to compare with`
    const unknown = { comparedWith: null, leftBehind: null, undone: null, notCompared: absent }
    return { ...unknown, ...(await eraseByLogs(databases, staged, { own: absent, log, erasuresMissing })) }
  }
  const { folder } = present
  const compared = compare(databases, present, staged)
  const own = readLog(databases, present)
  return { comparedWith: folder, ...compared, ...(await eraseByLogs(databases, staged, { own, log, erasuresMissing })) }
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

interface Logs extends Pick<ComparedFolders, 'log' | 'erasuresMissing'> {
  /** The present folder's log, which has every erasure, or why there is none. */
  own: readonly ErasureEntry[] | string
}

async function eraseByLogs(
  databases: ComparingPorts['databases'],
  staged: string,
  { own, log, erasuresMissing }: Logs,
): Promise<Erased> {
  const known = [own, log].filter((entries) => entries !== null && typeof entries !== 'string')
  if (known.length === 0) return { erasedAgain: null, erasuresUnknown: String(own) }
  const entries = new Map(known.flat().map((entry) => [entry.id, entry]))
  const isWhole = typeof own !== 'string' || erasuresMissing === null
  return {
    erasedAgain: await eraseAgain(databases, staged, [...entries.values()]),
    erasuresUnknown: isWhole ? null : `the object ${erasuresMissing} is missing`,
  }
}

function readLog(databases: ComparingPorts['databases'], { folder, database }: Present): ErasureEntry[] | string {
  try {
    return databases.erasureLog(database)
  } catch (error) {
    return unreadable(folder, error)
  }
}

const unreadable = (folder: string, error: unknown): string =>
  `the database in ${folder} could not be read (${(error as Error).message})`
