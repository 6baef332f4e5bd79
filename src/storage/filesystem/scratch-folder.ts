import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newShortId } from '../../lib/id.ts'
import { cleanUpWhenInterrupted } from '../../lib/interruption.ts'
import type { ScratchFolder } from '../../operations/backup/backup-ports.ts'
import { type FolderLock, isHeld, isLocked, takeFolderLock } from '../lock/folder-lock.ts'
import { namesIn } from './data-folder.ts'

interface Note {
  dir: string
  file: string
}

/** A scratch folder that a killed command left behind. It may hold personal data. */
interface AbandonedFolder extends Note {
  begunAt: number
}

/** Where a data folder notes the scratch folders of its commands, each with a lock that ends with its command. */
const registryName = 'unfinished'
const ownerOnly = 0o700

/** Creates a scratch folder on the file's volume, noted in the data folder until it is removed. */
export function makeScratchFolder(file: string, dataDir: string): ScratchFolder {
  const id = newShortId()
  const dir = scratchPath(dirname(file), id)
  const note = noted(dataDir, id, { dir, file })
  const remove = (): void => {
    rmSync(dir, { recursive: true, force: true })
    note?.remove()
  }
  const settle = cleanUpWhenInterrupted(remove)
  const end = (): void => {
    remove()
    settle()
  }
  try {
    mkdirSync(dir, { mode: ownerOnly })
  } catch (error) {
    // Nothing was created, so nothing needs removing; an error here would hide the reason.
    note?.remove()
    settle()
    throw error
  }
  return { dir, remove: end }
}

/** Removes folders that killed commands of this box left behind; those that cannot be removed stay noted. */
export function removeAbandoned(dataDir: string): void {
  for (const { id, left } of notesWithoutWriter(dataDir)) {
    try {
      if (left !== null) rmSync(left.dir, { recursive: true, force: true })
      forget(dataDir, id)
    } catch {
      // The note stays, and `doctor` keeps naming the folder.
    }
  }
}

/** Folders that killed commands of this box left behind. */
export const abandonedFolders = (dataDir: string): AbandonedFolder[] =>
  notesWithoutWriter(dataDir).flatMap(({ left }) => (left !== null && existsSync(left.dir) ? [left] : []))

const scratchPath = (folder: string, id: string): string => join(folder, `.capture-unfinished-${id}`)

/**
 * `null`: the data folder cannot take a note, for instance because its disk is full. Writing elsewhere is still
 * possible.
 */
function noted(dataDir: string, id: string, note: Note): { remove(): void } | null {
  const registry = join(dataDir, registryName)
  let lock: FolderLock | null = null
  try {
    if (!existsSync(registry)) mkdirSync(registry, { mode: ownerOnly })
    const taken = takeFolderLock(registry, id, `the writing of ${note.file}`)
    if (!isHeld(taken)) return null
    lock = taken
    writeFileSync(noteFile(dataDir, id), JSON.stringify(note), { mode: 0o600 })
  } catch {
    if (lock === null) return null
  }
  return {
    remove() {
      forget(dataDir, id)
      lock?.release()
    },
  }
}

const noteFile = (dataDir: string, id: string): string => join(dataDir, registryName, `${id}.json`)

function forget(dataDir: string, id: string): void {
  for (const end of ['.json', '.holder.json', '.lock']) rmSync(join(dataDir, registryName, id + end), { force: true })
}

/** The lock is created before the note, and the note before the folder: a folder without a holder is abandoned. */
function notesWithoutWriter(dataDir: string): { id: string; left: AbandonedFolder | null }[] {
  const registry = join(dataDir, registryName)
  const ids = namesIn(registry).flatMap((name) => /^([a-z0-9]{8})\.lock$/.exec(name)?.[1] ?? [])
  return ids.filter((id) => !isLocked(registry, id)).map((id) => ({ id, left: readNote(dataDir, id) }))
}

/** `null`: missing, or it names a folder that no command of ours would create. */
function readNote(dataDir: string, id: string): AbandonedFolder | null {
  try {
    const written = noteFile(dataDir, id)
    const { dir, file } = JSON.parse(readFileSync(written, 'utf8')) as Note
    return dir === scratchPath(dirname(file), id) ? { dir, file, begunAt: statSync(written).mtimeMs } : null
  } catch {
    return null
  }
}
