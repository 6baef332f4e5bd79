import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** How every SQLite database begins (SQLite file format, section 1.3). */
const magic = 'SQLite format 3\0'

/** The database of a data folder, told by its content, so that the bench need not know its name. */
export function databaseFile(dataFolder: string): string {
  const names = readdirSync(dataFolder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const found = names.map((entry) => join(dataFolder, entry.name)).find(isDatabase)
  if (found === undefined) throw new Error(`no database in ${dataFolder}`)
  return found
}

function isDatabase(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(magic.length)
    readSync(descriptor, start, 0, magic.length, 0)
    return start.toString('latin1') === magic
  } finally {
    closeSync(descriptor)
  }
}
