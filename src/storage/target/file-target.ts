import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BackupTarget, type StoredObject, TargetFault } from '../../backup/target/backup-target.ts'
import { newShortId } from '../../lib/id.ts'
import { syncPath } from '../disk/synced.ts'

const ownerOnly = { folder: 0o700, file: 0o600 }
/** Precedes the name of a file being written. No object's name begins with a dot. */
const unfinishedMark = '.unfinished-'
/** Synced at once. Where the target is on the disk of the box, a commit waits behind one such piece at most. */
const pieceBytes = 128 * 1024
/** An unfinished file of this age is no longer being written. */
const unfinishedMsMax = 86_400_000

/** A folder for backups (`file:///…`): a mounted disk or share. */
export class FileTarget implements BackupTarget {
  /** @param dir absolute */
  constructor(
    readonly url: string,
    private readonly dir: string,
  ) {}

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.faulty(() => this.write(name, bytes, rename))
  }

  putNew(name: string, bytes: Uint8Array): Promise<boolean> {
    return this.faulty(async () => {
      try {
        await this.write(name, bytes, link)
        return true
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false
        throw error
      }
    })
  }

  get(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.faulty(async () => {
      try {
        return new Uint8Array(await readFile(join(this.dir, name)))
      } catch (error) {
        if (isMissing(error) && (await this.isThere())) return null
        throw error
      }
    })
  }

  async *list(folder: string, after = ''): AsyncGenerator<StoredObject> {
    if (!(await this.faulty(() => this.isThere()))) throw new TargetFault('away', missingFolder)
    yield* this.listed(folder.slice(0, -1), after)
  }

  delete(name: string): Promise<void> {
    return this.faulty(() => rm(join(this.dir, name), { force: true }))
  }

  /** Creates the folder of a target at its first use. */
  async create(): Promise<void> {
    await this.faulty(() => mkdir(this.dir, { recursive: true, mode: ownerOnly.folder }))
  }

  private async *listed(folder: string, after: string): AsyncGenerator<StoredObject> {
    for (const entry of await this.faulty(() => this.entriesOf(folder))) {
      const name = `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (`${name}/\u{10ffff}` > after) yield* this.listed(name, after)
      } else if (entry.name.startsWith(unfinishedMark)) await this.clear(name)
      else if (name > after) {
        const found = await stat(join(this.dir, name)).catch(() => null)
        if (found !== null) yield { name, bytes: found.size, at: found.mtimeMs }
      }
    }
  }

  private async entriesOf(folder: string) {
    try {
      const entries = await readdir(join(this.dir, folder), { withFileTypes: true })
      return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  private async clear(name: string): Promise<void> {
    const file = join(this.dir, name)
    const found = await stat(file).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > unfinishedMsMax) await rm(file, { force: true })
  }

  /** Never created later: if its disk is not mounted, backups would go to the disk below. */
  private async isThere(): Promise<boolean> {
    try {
      return (await stat(this.dir)).isDirectory()
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  private async faulty<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const code = codeOf(error)
      if (error instanceof TargetFault || code === '') throw error
      if (fullCodes.includes(code)) throw new TargetFault('full', `has no room (${code})`)
      if (refusedCodes.includes(code))
        throw new TargetFault('refused', `may not be read or written by this user (${code})`)
      if (code === 'EROFS') throw new TargetFault('refused', readOnly)
      const isGone = isMissing(error) && !(await this.isThere().catch(() => true))
      throw new TargetFault('away', isGone ? missingFolder : `cannot be read or written (${code})`)
    }
  }

  private async write(
    name: string,
    bytes: Uint8Array,
    settle: (unfinished: string, file: string) => Promise<void>,
  ): Promise<void> {
    if (!(await this.isThere())) throw new TargetFault('away', missingFolder)
    const file = join(this.dir, name)
    const folder = dirname(file)
    await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
    const unfinished = join(folder, unfinishedMark + newShortId())
    try {
      await writeSynced(unfinished, bytes)
      await settle(unfinished, file)
      await syncPath(folder)
    } finally {
      await rm(unfinished, { force: true }).catch(() => {})
    }
  }
}

const readOnly =
  'is mounted read-only for this service: under systemd, name its folder in ReadWritePaths (`systemctl edit capture`)'
const missingFolder = 'is not there: its folder does not exist; perhaps its disk is not mounted'

async function writeSynced(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', ownerOnly.file)
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      await handle.writeFile(bytes.subarray(at, at + pieceBytes))
      await handle.datasync()
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error))

const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG']
const refusedCodes = ['EACCES', 'EPERM']
