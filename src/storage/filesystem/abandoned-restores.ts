import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLocked } from '../lock/folder-lock.ts'
import { namesIn } from './names-in.ts'
import { stagedMark } from './restore-place.ts'

/** Folders beside the data folder that killed restores left behind, and that nobody works on. */
export function abandonedRestores(dataDir: string): string[] {
  const beginning = basename(dataDir) + stagedMark
  const name = /^[a-z0-9]{8}$/
  return namesIn(dirname(dataDir))
    .filter((found) => found.startsWith(beginning) && name.test(found.slice(beginning.length)))
    .map((found) => join(dirname(dataDir), found))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() && !isAtWork(folder))
}

/** A restore takes its lock before it puts anything else into the folder. */
function isAtWork(folder: string): boolean {
  try {
    return existsSync(join(folder, 'serve.lock')) ? isLocked(folder, 'serve') : readdirSync(folder).length === 0
  } catch {
    return true
  }
}
