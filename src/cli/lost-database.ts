import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
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
  // In this order: beside another command's first start the database is there before the store is.
  if (!existsSync(join(dataDir, 'assets', 'tmp')) || isDatabaseMade(file)) return
  const what = existsSync(file) ? 'is empty' : 'is gone'
  throw new OperatorError(
    `The database ${file} ${what}, though the data folder held a box. If its volume is mounted as it should be, restore the latest backup: capture restore FILE. To begin with a new box, move ${dataDir} aside first.`,
  )
}
