import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { folderGone, folderGoneAdvice } from '../../operations/data-folder/folder-gone.ts'
import { boxesMovedAside, isDatabaseMade } from '../../storage/filesystem/data-folder.ts'

/**
 * A used data folder has an asset store, which is created after the database. If the store exists without the database, data was
 * lost, and a new box would hide that.
 *
 * @throws OperatorError that says what to do
 */
export function refuseLostDatabase(file: string, dataDir: string): void {
  refuseMissingFolder(dataDir)
  // Check in this order: during another command's first start, the database appears before the store.
  if (!existsSync(join(dataDir, 'assets', 'tmp')) || isDatabaseMade(file)) return
  const what = existsSync(file) ? 'is empty' : 'is gone'
  throw new OperatorError(
    `The database ${file} ${what}, though the data folder held a box. If its volume is mounted correctly, restore the latest backup: capture restore FILE. To begin with a new box, move ${dataDir} aside first.`,
  )
}

/** A restore that was killed between its two renames leaves no data folder. */
function refuseMissingFolder(dataDir: string): void {
  if (existsSync(dataDir)) return
  const [aside] = boxesMovedAside(dataDir)
  if (aside !== undefined) throw new OperatorError(`${folderGone(dataDir)} ${folderGoneAdvice(dataDir, aside)}`)
}
