import { closeSync, openSync, rmSync } from 'node:fs'
import { copyFile, link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type AssetStore,
  encodingSuffixes,
  type StoredBody,
  type StoredBytes,
  type StreamedBytes,
} from '../../asset/asset-store.ts'
import { isSound } from '../../asset/sound-bytes.ts'
import { newId } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { syncPath, writeSynced } from '../disk/synced.ts'

const folderMode = 0o700

/** Files that are written but not yet named are here, on the same file system. */
const temporaryDir = 'tmp'
/** Another process may be writing; no file takes longer than this. */
const leftoverAgeMs = 10 * 60 * 1000

const hashPattern = /^[0-9a-f]{64}$/
const namePattern = /^([0-9a-f]{64})(?:\.br|\.gz)?$/

/** Opens the folder, creating it on the first run, and removes files that a crash left half written. */
export async function openAssetStore(dir: string): Promise<AssetStore> {
  const temporary = join(dir, temporaryDir)
  await mkdir(temporary, { recursive: true, mode: folderMode }).catch((error) => refuse(error, dir))
  for (const name of await readdir(temporary)) await removeLeftover(join(temporary, name))
  return new FilesystemAssetStore(dir)
}

/** A process that opens at the same time may have removed it already. */
async function removeLeftover(file: string): Promise<void> {
  const writtenAt = await stat(file).then((found) => found.mtimeMs, ifMissing(Number.POSITIVE_INFINITY))
  if (Date.now() - writtenAt > leftoverAgeMs) await rm(file, { force: true })
}

/** `ab/abcdef…`: the folder is the hash's first two digits; `.br` and `.gz` hold the same bytes compressed. */
class FilesystemAssetStore implements AssetStore {
  private readonly sync = new FolderSync()
  private readonly made = new Set<string>()

  constructor(private readonly dir: string) {}

  async put(key: StoredBytes, bytes: Uint8Array | StreamedBytes): Promise<void> {
    const file = this.fileOf(key)
    try {
      const known = await stat(file).then((found) => found.size === byteCountOf(bytes), ifMissing(false))
      if (!known || !(await this.holds(key, bytes))) await this.write(file, bytes)
      // Also when the file existed: whoever put it there may not have synced its name yet.
      await this.sync.settle(this.folderOf(key.sha256))
    } catch (error) {
      refuse(error, this.dir)
    }
  }

  /** Whether the file has that size and is sound. */
  private async holds(key: StoredBytes, bytes: Uint8Array | StreamedBytes): Promise<boolean> {
    const file = Bun.file(this.fileOf(key))
    if (!(bytes instanceof Uint8Array)) return isSound(key, file)
    return file.bytes().then(
      (stored) => Buffer.compare(stored, bytes) === 0,
      () => false,
    )
  }

  async open(key: StoredBytes): Promise<StoredBody | null> {
    const file = this.fileOf(key)
    const isStored = await stat(file).then((found) => found.isFile(), ifMissing(false))
    if (!isStored) return null
    // Check access now: Bun opens the file only while sending, when a failure can no longer change the answer.
    closeSync(openSync(file, 'r'))
    return Bun.file(file, { type: 'application/octet-stream' })
  }

  delete(sha256: string): void {
    deleteAsset(this.dir, sha256)
  }

  async *list(): AsyncIterable<string> {
    for (const folder of await readdir(this.dir)) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue
      const names = await readdir(join(this.dir, folder))
      const hashes = names.flatMap((name) => namePattern.exec(name)?.[1] ?? [])
      yield* new Set(hashes)
    }
  }

  private async write(file: string, bytes: Uint8Array | StreamedBytes): Promise<void> {
    const temporary = join(this.dir, temporaryDir, newId())
    try {
      await writeSynced(temporary, bytes instanceof Uint8Array ? [bytes] : bytes.chunks)
      await this.makeFolder(dirname(file))
      await rename(temporary, file)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  /** Folders are never removed: each is created, and its name made durable, once. */
  private async makeFolder(folder: string): Promise<void> {
    if (this.made.has(folder)) return
    await mkdir(folder, { recursive: true, mode: folderMode })
    // Also when it existed: whoever created it may not have synced its name yet.
    await this.sync.settle(this.dir)
    this.made.add(folder)
  }

  private folderOf(sha256: string): string {
    return join(this.dir, sha256.slice(0, 2))
  }

  private fileOf(key: StoredBytes): string {
    return assetFile(this.dir, key)
  }
}

/** The only way from a key to a path. */
export function assetFile(dir: string, { sha256, encoding }: StoredBytes): string {
  if (!hashPattern.test(sha256)) throw new Error('A key of the asset store is not a SHA-256 in lower-case hex')
  return join(dir, sha256.slice(0, 2), sha256 + encodingSuffixes[encoding])
}

const byteCountOf = (bytes: Uint8Array | StreamedBytes): number =>
  bytes instanceof Uint8Array ? bytes.byteLength : bytes.byteCount

export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

const ifMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return value
    throw error
  }

const fixes: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'the disk is full. Free some space and run the command again'],
  ['EDQUOT', 'its owner’s disk quota is used up. Raise it or free some space, and run the command again'],
  ['EFBIG', 'the file is larger than the system lets this process write. Raise the limit (ulimit -f)'],
  ['EROFS', 'the disk is mounted read-only. Mount it writable, or set another data_dir'],
  ['EACCES', 'it is not writable for this user. Run the command as the owner of the folder'],
  ['EPERM', 'it is not writable for this user. Run the command as the owner of the folder'],
])

function refuse(error: unknown, dir: string): never {
  const fix = fixes.get(codeOf(error))
  if (fix === undefined) throw error
  throw new OperatorError(`Nothing can be stored in ${dir}: ${fix}.`)
}

/** Syncs folders for many writers at once: writers that come before a sync has begun share it. */
class FolderSync {
  private readonly running = new Map<string, Promise<void>>()
  private readonly next = new Map<string, Promise<void>>()

  /** Resolves when every name now in the folder is durable. */
  settle(dir: string): Promise<void> {
    const shared = this.next.get(dir)
    if (shared !== undefined) return shared
    const under = this.running.get(dir) ?? Promise.resolve()
    const begun = under.catch(() => {}).then(() => this.begin(dir))
    this.next.set(dir, begun)
    return begun
  }

  private async begin(dir: string): Promise<void> {
    const own = syncPath(dir)
    const done = own.finally(() => {
      if (this.running.get(dir) === done) this.running.delete(dir)
    })
    this.next.delete(dir)
    this.running.set(dir, done)
    await done
  }
}

/** See `AssetStore`. */
export function deleteAsset(dir: string, sha256: string): void {
  for (const encoding of ['br', 'gzip', 'identity'] as const)
    rmSync(assetFile(dir, { sha256, encoding }), { force: true })
}

/** Error codes of file systems that cannot add another name to a file, or not here (link(2)). */
const noLinks: ReadonlySet<unknown> = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** Gives a file another name, or copies it where the file system has no links. */
export async function linkOrCopy(
  source: string,
  target: string,
  copy: (source: string, target: string) => Promise<void> = copyFile,
): Promise<void> {
  await link(source, target).catch((error) => {
    if (!noLinks.has(codeOf(error))) throw error
    return copy(source, target)
  })
}

/**
 * Takes a published content from one store's folder into another's; damaged bytes are not taken. Stores replace files and
 * never change them, so both may share one.
 *
 * @returns whether it was there
 */
export async function adoptAsset(from: string, to: string, sha256: string): Promise<boolean> {
  const identity: StoredBytes = { sha256, encoding: 'identity' }
  const file = Bun.file(assetFile(from, identity))
  if (!(await isSound(identity, file).catch(() => false))) return false
  await adoptFile(from, to, identity)
  for (const encoding of ['br', 'gzip'] as const)
    await adoptFile(from, to, { sha256, encoding }).catch(ifMissing(undefined))
  await syncPath(dirname(assetFile(to, identity)))
  return true
}

async function adoptFile(from: string, to: string, key: StoredBytes): Promise<void> {
  const target = assetFile(to, key)
  const made = await mkdir(dirname(target), { recursive: true, mode: folderMode })
  if (made !== undefined) await syncPath(to)
  await linkOrCopy(assetFile(from, key), target, copySynced)
}

export async function copySynced(source: string, target: string): Promise<void> {
  try {
    await copyFile(source, target)
    await syncPath(target)
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}
