import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { folderGone, folderGoneAdvice } from '../../operations/data-folder/folder-gone.ts'
import { boxesMovedAside, isDatabaseMade } from '../../storage/filesystem/data-folder.ts'

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

/** A restore renames twice: killed in between, it leaves no folder in the place of the one that it moved aside. */
function refuseMissingFolder(dataDir: string): void {
  if (existsSync(dataDir)) return
  const [aside] = boxesMovedAside(dataDir)
  if (aside !== undefined) throw new OperatorError(`${folderGone(dataDir)} ${folderGoneAdvice(dataDir, aside)}`)
}
