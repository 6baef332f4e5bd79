import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { chown, mkdir, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { newShortId } from '../../lib/id.ts'
import { cleanUpWhenInterrupted } from '../../lib/interruption.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { RestorePlace } from '../../operations/backup/restore-ports.ts'
import { syncPath } from '../disk/synced.ts'
import { isLocked } from '../lock/folder-lock.ts'
import { asideMark, namesIn } from './data-folder.ts'

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
