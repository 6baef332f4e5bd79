import {
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
} from 'node:fs'
import { chown, type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ageBeginning } from '../../backup/format/age-file.ts'
import { newShortId } from '../../lib/id.ts'
import { cleanUpWhenInterrupted } from '../../lib/interruption.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { RestoreFolders, RestorePlace, RestoreSource } from '../../operations/backup/backup-ports.ts'
import { readSealKey, sealKeyFile, writeSealKey } from '../disk/seal-key-file.ts'
import { syncPath, writeSynced } from '../disk/synced.ts'
import { type FolderLock, isHeld, isLocked, takeFolderLock } from '../lock/folder-lock.ts'
import { adoptAsset, openAssetStore } from './asset-store.ts'
import { asideMark, boxesMovedAside, databaseFile, isDatabaseMade, namesIn } from './data-folder.ts'
import { removeAbandoned } from './scratch-folder.ts'

export const restoreFolders: RestoreFolders = {
  open: openSource,
  prepare: (dataDir, now) => RestoreFolder.prepare(dataDir, now),
  lock: lockFolder,
  removeUnfinished: removeAbandoned,
  abandoned: abandonedRestores,
  remove: (folder) => rmSync(folder, { recursive: true, force: true }),
  writeDatabase: (staged, chunks) => writeSynced(databaseFile(staged), chunks),
  writeSealKey: bringSealKey,
  sealKeysNear: (snapshot, dataDir) =>
    [snapshot, databaseFile(dirname(dirname(snapshot))), databaseFile(dataDir)].flatMap(
      (database) => readSealKey(sealKeyFile(database)) ?? [],
    ),
  assetsOf: (staged) => openAssetStore(join(staged, 'assets')),
  adopt: (from, staged, sha256) => adoptAsset(join(from, 'assets'), join(staged, 'assets'), sha256),
  sync: syncPath,
  present(dataDir) {
    const folder = isDatabaseMade(databaseFile(dataDir)) ? dataDir : (boxesMovedAside(dataDir)[0] ?? null)
    return folder === null ? null : { folder, database: databaseFile(folder) }
  },
}

function bringSealKey(staged: string, key: Uint8Array, dataDir: string): void {
  const present = sealKeyFile(databaseFile(dataDir))
  const file = sealKeyFile(databaseFile(staged))
  const isLink = lstatSync(present, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  const known = isLink ? readSealKey(present) : null
  if (known !== null && Buffer.from(known).equals(key)) symlinkSync(realpathSync(present), file)
  else writeSealKey(file, key)
}

/** Nobody serves from the folder or publishes into it while it is being moved. */
function lockFolder(folder: string, names: string[]): FolderLock {
  const taken: FolderLock[] = []
  const release = (): void => {
    for (const lock of taken) lock.release()
  }
  for (const name of names) {
    const lock = takeFolderLock(folder, name, 'capture restore')
    if (isHeld(lock)) {
      taken.push(lock)
      continue
    }
    release()
    throw new OperatorError(
      `The data folder ${folder} is in use by process ${lock.pid} (${lock.doing}). Stop that first, then run this again; nothing was changed.`,
    )
  }
  return { release }
}

/** How every SQLite database begins (https://sqlite.org/fileformat.html, section 1.3). */
const databaseBeginning = 'SQLite format 3\0'

/** @throws OperatorError if the file cannot be read, or is a database in use */
async function openSource(file: string): Promise<RestoreSource> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new OperatorError(`There is no backup ${file}.`)
    throw new OperatorError(`The backup ${file} cannot be read: ${error.message}.`)
  })
  try {
    if (!(await handle.stat()).isFile()) {
      throw new OperatorError(`${file} is not a regular file. Name the file that \`capture backup\` wrote.`)
    }
    const kind = await kindOf(handle)
    if (kind === 'snapshot') await refuseOpenDatabase(file)
    return { kind, file, handle, writtenAt: () => snapshotWrittenAt(file, handle) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function kindOf(handle: FileHandle): Promise<RestoreSource['kind']> {
  const bytes = Buffer.alloc(Math.max(databaseBeginning.length, ageBeginning.length))
  await handle.read(bytes, 0, bytes.length, 0)
  const beginning = bytes.toString('latin1')
  if (beginning.startsWith(databaseBeginning)) return 'snapshot'
  return beginning.startsWith(ageBeginning) ? 'sealed' : 'backup'
}

/** Its latest commits are in the log beside it and would be lost silently. */
async function refuseOpenDatabase(file: string): Promise<void> {
  const log = await stat(`${file}-wal`).catch(() => null)
  if (log === null || log.size === 0) return
  throw new OperatorError(
    `${file} is the database of a box in use, or of one that was killed: its latest records are in ${basename(file)}-wal beside it. Move the whole folder to where it belongs instead, or name a backup or a snapshot.`,
  )
}

const snapshotName = /^before-(?:migration|upgrade)-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d)(\d{3})Z\.db$/

/** When a snapshot was written, according to its name; for a copy of another name, its modification time. ISO 8601. */
async function snapshotWrittenAt(file: string, handle: FileHandle): Promise<string> {
  const [, hour, minute, second, fraction] = snapshotName.exec(basename(file)) ?? []
  if (hour !== undefined) return `${hour}:${minute}:${second}.${fraction}Z`
  return (await handle.stat()).mtime.toISOString()
}

/** Stands between the data folder's name and eight random characters. */
const stagedMark = '.restoring-'

/** After an interruption. */
const looksMax = 5
const looksEveryMs = 20

/** Where a restored folder is built, and how it replaces the present one. */
export class RestoreFolder implements RestorePlace {
  private swapped = false
  private readonly settle: () => void

  private constructor(
    private readonly dataDir: string,
    /** The new folder until then. It is beside the data folder, since folders can be renamed only within one volume. */
    readonly staged: string,
    /** Where the present folder goes; `null`: there is nothing to keep. */
    private readonly aside: string | null,
    private readonly present: Stats | null,
  ) {
    this.settle = cleanUpWhenInterrupted(() => this.removeInterrupted())
  }

  /** @throws OperatorError before anything is unpacked, if the folder could not be put in place */
  static async prepare(dataDir: string, now: number): Promise<RestorePlace> {
    const present = await stat(dataDir).catch(() => null)
    if (present !== null && !present.isDirectory()) throw new OperatorError(`${dataDir} is not a folder. Set data_dir.`)
    const parent = dirname(dataDir)
    if (present === null) await mkdir(parent, { recursive: true }).catch((error) => refuse(parent, error))
    else if (present.dev !== (await stat(parent)).dev) throw mountPoint(dataDir)
    const isEmpty = present === null || (await entriesOf(dataDir)) === 0
    const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '')
    const staged = `${dataDir}${stagedMark}${newShortId()}`
    const aside = isEmpty ? null : `${dataDir}${asideMark}${stamp}-${newShortId()}`
    const place = new RestoreFolder(dataDir, staged, aside, present)
    await place.make()
    return place
  }

  private async make(): Promise<void> {
    const { staged, present } = this
    try {
      await mkdir(staged, { mode: 0o700 })
      if (present !== null && process.geteuid?.() === 0) await chown(staged, present.uid, present.gid)
    } catch (error) {
      await this.discard()
      refuse(dirname(staged), error as NodeJS.ErrnoException)
    }
  }

  /** Whether there is a folder that somebody may be using. */
  get isOccupied(): boolean {
    return this.aside !== null
  }

  /** Moves the present folder aside and the new one into its place; returns where the old one is. */
  async swap(): Promise<string | null> {
    this.rename()
    await syncPath(dirname(this.dataDir)).catch(() => {})
    return this.aside
  }

  /** Synchronous, so that no interruption comes between the two steps. */
  private rename(): void {
    const { dataDir, staged, aside, present } = this
    try {
      if (aside !== null) renameSync(dataDir, aside)
      else if (present !== null) rmdirSync(dataDir)
      renameSync(staged, dataDir)
      this.swapped = true
    } catch (error) {
      if (aside !== null && !existsSync(dataDir)) renameSync(aside, dataDir)
      refuse(dirname(dataDir), error as NodeJS.ErrnoException)
    }
  }

  /** Removes a folder that did not get into place. */
  async discard(): Promise<void> {
    this.settle()
    this.removeStaged()
  }

  /** What a helper thread is at may make folders anew, or fill one that is being removed, so look a few times. */
  private removeInterrupted(): void {
    for (let look = 0; look < looksMax && !this.swapped; look++) {
      try {
        this.removeStaged()
      } catch {
        // The next look may succeed; `doctor` names what is left, and the next restore removes it.
      }
      Bun.sleepSync(looksEveryMs)
    }
  }

  private removeStaged(): void {
    if (!this.swapped) rmSync(this.staged, { recursive: true, force: true })
  }
}

const entriesOf = async (dir: string): Promise<number> => (await readdir(dir).catch(() => ['unreadable'])).length

const mountPoint = (dataDir: string): OperatorError =>
  new OperatorError(
    `${dataDir} is a mount point and cannot be moved aside. Set data_dir to a folder inside it, or restore to another folder and copy.`,
  )

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
