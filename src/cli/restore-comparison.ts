import { join } from 'node:path'
import { openConnection } from '../storage/sqlite/connection.ts'
import { carryErasures } from '../storage/sqlite/forgetting/carried-erasures.ts'
import { compareWithRestored, type LeftBehind, type Undone } from '../storage/sqlite/left-behind.ts'
import { boxesMovedAside, isDatabaseMade } from './lost-database.ts'
import { databaseName } from './open-capturing.ts'

/** What stays behind in the folder that was there, and what comes back with the restored one. */
export interface Comparison {
  /** The folder compared with: the one that was there, or else the latest that a restore moved aside; `null`: none. */
  comparedWith: string | null
  /** `null`: not known, and `notCompared` says why. */
  leftBehind: LeftBehind | null
  undone: Undone | null
  /** Why nothing could be compared; `null`: it could. */
  notCompared: string | null
}

/**
 * Compares what was there with what takes its place, and takes over what was erased there. Whatever is wrong with the
 * present folder stops no restore.
 */
export function compareFolders(dataDir: string, staged: string): Comparison {
  const comparedWith = isDatabaseMade(join(dataDir, databaseName)) ? dataDir : (boxesMovedAside(dataDir)[0] ?? null)
  if (comparedWith === null) return unknown(null, `there was no box in ${dataDir} to compare with`)
  const present = join(comparedWith, databaseName)
  const restored = join(staged, databaseName)
  const connection = openConnection(restored)
  try {
    const compared = compareWithRestored(present, restored)
    if (compared.undone.erasures !== null) carryErasures(present, connection)
    return { comparedWith, ...compared, notCompared: null }
  } catch (error) {
    return unknown(comparedWith, `the database in ${comparedWith} could not be read (${(error as Error).message})`)
  } finally {
    connection.raw.close()
  }
}

const unknown = (comparedWith: string | null, notCompared: string): Comparison => ({
  comparedWith,
  leftBehind: null,
  undone: null,
  notCompared,
})
