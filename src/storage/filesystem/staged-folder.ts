import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { constants, copyFile, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { newShortId } from '../../lib/id.ts'
import { cleanUpWhenInterrupted } from '../../lib/interruption.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { RestorePlace } from '../../operations/backup/backup-ports.ts'
import type { RepairPlace } from '../../operations/database/repair.ts'
import { syncPath } from '../disk/synced.ts'
import { isLocked } from '../lock/folder-lock.ts'
import { asideMark, namesIn } from './data-folder.ts'

/** After an interruption. */
const looksMax = 5
const looksEveryMs = 20

/** A new folder that is removed unless it gets into place, also by an interruption. */
interface StagedFolder {
  staged: string
  /** Moves it into its place, in one step that no interruption divides. */
  place(move: () => void): void
  discard(): void
}

/** Makes the folder, for root in the name of the owner. */
function stageFolder(staged: string, owner: Stats | null): StagedFolder {
  let isPlaced = false
  const remove = (): void => {
    if (!isPlaced) rmSync(staged, { recursive: true, force: true })
  }
  // A helper thread may still make folders, or fill one that is being removed.
  const settle = cleanUpWhenInterrupted(() => {
    for (let look = 0; look < looksMax && !isPlaced; look++) {
      try {
        remove()
      } catch {
        // The next look may succeed; `doctor` names what is left, and the next restore removes it.
      }
      Bun.sleepSync(looksEveryMs)
    }
  })
  const discard = (): void => {
    settle()
    remove()
  }
  try {
    mkdirSync(staged, { mode: 0o700, recursive: true })
    if (owner !== null && process.geteuid?.() === 0) chownSync(staged, owner.uid, owner.gid)
  } catch (error) {
    discard()
    throw error
  }
  const place = (move: () => void): void => {
    move()
    isPlaced = true
    settle()
  }
  return { staged, place, discard }
}

/** Stands between the data folder's name and eight random characters. */
const stagedMark = '.restoring-'

/**
 * Makes the folder in which a box is restored, beside the data folder: folders can be renamed only within one volume.
 *
 * @throws OperatorError before anything is unpacked, if the folder could not be put in place
 */
export async function prepareRestore(dataDir: string, now: number): Promise<RestorePlace> {
  const present = await stat(dataDir).catch(() => null)
  if (present !== null && !present.isDirectory()) throw new OperatorError(`${dataDir} is not a folder. Set data_dir.`)
  const parent = dirname(dataDir)
  if (present === null) await mkdir(parent, { recursive: true }).catch((error) => refuse(parent, error))
  else if (present.dev !== (await stat(parent)).dev) throw mountPoint(dataDir)
  const isEmpty = present === null || ((await entriesOf(dataDir)) === 0 && !isServed(dataDir))
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '')
  const aside = isEmpty ? null : `${dataDir}${asideMark}${stamp}-${newShortId()}`
  const { staged, place, discard } = refusing(parent, () =>
    stageFolder(`${dataDir}${stagedMark}${newShortId()}`, present),
  )
  const exchange = (): void => {
    try {
      if (aside !== null) renameSync(dataDir, aside)
      else if (present !== null) {
        for (const name of namesIn(dataDir)) if (ofLock.test(name)) rmSync(join(dataDir, name))
        rmdirSync(dataDir)
      }
      renameSync(staged, dataDir)
    } catch (error) {
      if (aside !== null && !existsSync(dataDir)) renameSync(aside, dataDir)
      throw error
    }
  }
  return {
    staged,
    isOccupied: aside !== null,
    async swap() {
      refusing(parent, () => place(exchange))
      await syncPath(parent).catch(() => {})
      return aside
    },
    discard,
  }
}

/** A service that ended before it made a box leaves no more. */
const ofLock = /\.(?:lock(?:-journal)?|holder\.json)$/

const entriesOf = async (dir: string): Promise<number> =>
  (await readdir(dir).catch(() => ['unreadable'])).filter((name) => !ofLock.test(name)).length

const isServed = (dataDir: string): boolean => existsSync(join(dataDir, 'serve.lock')) && isLocked(dataDir, 'serve')

const mountPoint = (dataDir: string): OperatorError =>
  new OperatorError(
    `${dataDir} is a mount point and cannot be moved aside. Set data_dir to a folder inside it, or restore to another folder and copy.`,
  )

function refusing<T>(parent: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return refuse(parent, error as NodeJS.ErrnoException)
  }
}

function refuse(parent: string, { code, message }: NodeJS.ErrnoException): never {
  const denied = code === 'EACCES' || code === 'EPERM'
  const advice = denied ? 'Run the command with sudo: the data folder is moved within it' : message
  throw new OperatorError(`The folder ${parent} cannot be written to. ${advice}. Nothing was changed.`)
}

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

/** Neither locks, nor what belongs to the old database: targets of backups get a new history. */
const leftBehind = /^(?:capture\.db.*|.*\.(?:lock|holder\.json)|snapshots|targets)$/

/** @throws OperatorError if the folder is there, or cannot be made */
export function beginRepair(dataDir: string, to: string): RepairPlace {
  if (!existsSync(dataDir)) throw new OperatorError(`There is no data folder ${dataDir}. Set data_dir.`)
  if (existsSync(to)) throw new OperatorError(`${to} is there already. Name a new folder: --to DIR.`)
  const { staged, place, discard } = stagedForRepair(`${to}.repairing-${newShortId()}`, statSync(dataDir))
  return {
    staged,
    copyFiles: () => copyFolder(dataDir, staged),
    async finish() {
      await syncPath(staged)
      place(() => renameSync(staged, to))
      await syncPath(dirname(to)).catch(() => {})
    },
    discard,
  }
}

function stagedForRepair(staged: string, owner: Stats): StagedFolder {
  try {
    return stageFolder(staged, owner)
  } catch (error) {
    throw new OperatorError(`The folder ${staged} cannot be made: ${(error as Error).message}. Name another: --to DIR.`)
  }
}

async function copyFolder(from: string, to: string): Promise<string[]> {
  const missing: string[] = []
  for (const name of readdirSync(from)) {
    if (!leftBehind.test(name)) await copyInto(from, to, { name, missing })
  }
  return missing
}

/** Links stay links: a key may lie elsewhere. Sockets belong to a process. */
async function copyInto(from: string, to: string, { name, missing }: { name: string; missing: string[] }) {
  const source = join(from, name)
  const target = join(to, name)
  try {
    const stat = lstatSync(source)
    if (stat.isDirectory()) {
      await mkdir(target, { mode: stat.mode & 0o777 })
      for (const inner of readdirSync(source)) await copyInto(source, target, { name: inner, missing })
    } else if (stat.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (stat.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (['ENOSPC', 'EDQUOT', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    missing.push(source)
  }
}
