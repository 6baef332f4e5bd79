import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'

/** Zero bytes are no database yet: a first start that was killed may leave the file so, and the next one goes on with it. */
export const isDatabaseMade = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * A folder that a box was once opened in holds its store of contents, and that is made after the database: without the
 * database something was lost, and a new box in its place would hide that.
 *
 * @throws OperatorError that says what to do
 */
export function refuseLostDatabase(file: string, dataDir: string): void {
  refuseMissingFolder(dataDir)
  // In this order: beside another command's first start the database is there before the store is.
  if (!existsSync(join(dataDir, 'assets', 'tmp')) || isDatabaseMade(file)) return
  const what = existsSync(file) ? 'is empty' : 'is gone'
  throw new OperatorError(
    `The database ${file} ${what}, though the data folder held a box. If its volume is mounted as it should be, restore the latest backup: capture restore FILE. To begin with a new box, move ${dataDir} aside first.`,
  )
}

/** Between the data folder's name and the time of the restore that moved it aside. */
export const asideMark = '.before-restore-'

/** Boxes that restores into the data folder have moved aside, the latest first. */
export function boxesMovedAside(dataDir: string): string[] {
  const beginning = basename(dataDir) + asideMark
  return namesIn(dirname(dataDir))
    .filter((name) => name.startsWith(beginning))
    .map((name) => join(dirname(dataDir), name))
    .filter((dir) => isDatabaseMade(join(dir, 'capture.db')))
    .sort()
    .reverse()
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A restore renames twice: killed in between, it leaves no folder in the place of the one that it moved aside. */
function refuseMissingFolder(dataDir: string): void {
  if (existsSync(dataDir)) return
  const [aside] = boxesMovedAside(dataDir)
  if (aside !== undefined) throw new OperatorError(`${folderGone(dataDir)} ${folderGoneAdvice(dataDir, aside)}`)
}

export const folderGone = (dataDir: string): string =>
  `The data folder ${dataDir} is gone, and a restore has moved one aside that was there before.`

export const folderGoneAdvice = (dataDir: string, aside: string): string =>
  `Run the restore again; or take the earlier folder back: mv ${aside} ${dataDir}. To begin with a new box, move ${aside} elsewhere first.`
