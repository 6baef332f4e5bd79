import { join } from 'node:path'
import { openConnection } from '../storage/sqlite/connection.ts'
import { carryErasures } from '../storage/sqlite/forgetting/carried-erasures.ts'
import { compareWithRestored, type LeftBehind, type Undone } from '../storage/sqlite/left-behind.ts'
import { isDatabaseMade } from './lost-database.ts'
import { databaseName } from './open-capturing.ts'

/** What goes aside with the present folder, and what comes back with the restored one. */
export interface Comparison {
  /** `null`: not known, and `notCompared` says why. */
  leftBehind: LeftBehind | null
  undone: Undone | null
  /** Why nothing could be compared; `null`: it could. */
  notCompared: string | null
}

/**
 * Compares the present folder with the one that takes its place, and takes over what was erased there. Whatever is wrong
 * with the present one stops no restore.
 */
export function compareFolders(dataDir: string, staged: string): Comparison {
  const present = join(dataDir, databaseName)
  const restored = join(staged, databaseName)
  if (!isDatabaseMade(present)) return unknown(`there was no box in ${dataDir} to compare with`)
  const connection = openConnection(restored)
  try {
    const compared = compareWithRestored(present, restored)
    if (compared.undone.erasures !== null) carryErasures(present, connection)
    return { ...compared, notCompared: null }
  } catch (error) {
    return unknown(`the database of the folder that was there cannot be read (${(error as Error).message})`)
  } finally {
    connection.raw.close()
  }
}

const unknown = (notCompared: string): Comparison => ({ leftBehind: null, undone: null, notCompared })
