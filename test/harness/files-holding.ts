import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files below a folder that hold the text, or the bytes. */
export const filesHolding = (dir: string, what: string | Uint8Array): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => holds(file, what))

function holds(file: string, what: string | Uint8Array): boolean {
  try {
    return readFileSync(file).includes(what)
  } catch (error) {
    // Of a server that runs, some are gone by now.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
