import { rmSync, type Stats } from 'node:fs'
import { chown, mkdir, readdir, rename, rmdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newShortId } from '../lib/id.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { syncFolder } from '../storage/filesystem/sync-folder.ts'

/** Where a restored folder is made, and how it gets into its place. */
export class RestorePlace {
  private swapped = false
  private readonly onExit = (): void => this.removeStaged()

  private constructor(
    private readonly dataDir: string,
    /** The new folder, until it takes its place: beside it, since only within one volume can folders be renamed. */
    readonly staged: string,
    /** Where the present folder goes; `null`: there is nothing that anybody could miss. */
    private readonly aside: string | null,
    private readonly present: Stats | null,
  ) {
    process.once('exit', this.onExit)
  }

  /** @throws OperatorError when the folder could not be put in place, before anything is unpacked */
  static async prepare(dataDir: string, now: number): Promise<RestorePlace> {
    const present = await stat(dataDir).catch(() => null)
    if (present !== null && !present.isDirectory()) throw new OperatorError(`${dataDir} is no folder. Set data_dir.`)
    const parent = dirname(dataDir)
    if (present === null) await mkdir(parent, { recursive: true }).catch((error) => refuse(parent, error))
    else if (present.dev !== (await stat(parent)).dev) throw mountPoint(dataDir)
    const isEmpty = present === null || (await entriesOf(dataDir)) === 0
    const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '')
    const staged = `${dataDir}.restoring-${newShortId()}`
    await mkdir(staged, { mode: 0o700 }).catch((error) => refuse(parent, error))
    const aside = isEmpty ? null : `${dataDir}.before-restore-${stamp}-${newShortId()}`
    const place = new RestorePlace(dataDir, staged, aside, present)
    if (present !== null && present.uid !== process.geteuid?.())
      await chown(staged, present.uid, present.gid).catch(() => {})
    return place
  }

  /** Whether there is a folder that somebody could be using. */
  get isOccupied(): boolean {
    return this.aside !== null
  }

  /** Moves the present folder aside and the new one into its place; answers where the old one is. */
  async swap(): Promise<string | null> {
    const { dataDir, staged, aside, present } = this
    const parent = dirname(dataDir)
    try {
      if (aside !== null) await rename(dataDir, aside)
      else if (present !== null) await rmdir(dataDir)
      await rename(staged, dataDir)
    } catch (error) {
      const isMissing = (await stat(dataDir).catch(() => null)) === null
      if (aside !== null && isMissing) await rename(aside, dataDir)
      return refuse(parent, error as NodeJS.ErrnoException)
    }
    this.swapped = true
    await syncFolder(parent).catch(() => {})
    return aside
  }

  /** Leaves no trace of a folder that did not take its place. */
  async discard(): Promise<void> {
    process.off('exit', this.onExit)
    this.removeStaged()
  }

  private removeStaged(): void {
    if (!this.swapped) rmSync(this.staged, { recursive: true, force: true })
  }
}

const entriesOf = async (dir: string): Promise<number> => (await readdir(dir).catch(() => ['unreadable'])).length

const mountPoint = (dataDir: string): OperatorError =>
  new OperatorError(
    `${dataDir} is where a volume is mounted, and cannot be moved aside. Set data_dir to a folder inside it, or restore to another folder and copy.`,
  )

function refuse(parent: string, { code, message }: NodeJS.ErrnoException): never {
  const denied = code === 'EACCES' || code === 'EPERM'
  const advice = denied ? 'Run the command with sudo: the data folder is moved within it' : message
  throw new OperatorError(`The folder ${parent} cannot be written to. ${advice}. Nothing was changed.`)
}
