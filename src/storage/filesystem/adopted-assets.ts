import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StoredBytes } from '../../asset/asset-store.ts'
import { syncPath } from '../disk/synced.ts'
import { assetFile, codeOf } from './asset-store.ts'

/**
 * Takes published bytes from one asset store into another by hard links, or as copies where the file system has none.
 * The store replaces files and never changes them, so neither store notices the other, and a large store takes neither
 * time nor space.
 */
export class AdoptedAssets {
  constructor(
    private readonly from: string,
    private readonly to: string,
  ) {}

  /** Whether the bytes exist and match their hash; damaged ones are not taken. */
  async adopt(sha256: string): Promise<boolean> {
    const identity: StoredBytes = { sha256, encoding: 'identity' }
    if (!(await isSound(assetFile(this.from, identity), sha256))) return false
    await this.take(identity)
    for (const encoding of ['br', 'gzip'] as const) await this.takeIfThere({ sha256, encoding })
    await syncPath(dirname(assetFile(this.to, identity)))
    return true
  }

  private async takeIfThere(key: StoredBytes): Promise<void> {
    await this.take(key).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }

  private async take(key: StoredBytes): Promise<void> {
    const source = assetFile(this.from, key)
    const target = assetFile(this.to, key)
    const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    if (made !== undefined) await syncPath(this.to)
    await linkOrCopy(source, target, copySynced)
  }
}

/** Treat unreadable files as missing. */
async function isSound(file: string, sha256: string): Promise<boolean> {
  const hash = new Bun.CryptoHasher('sha256')
  try {
    for await (const chunk of Bun.file(file).stream()) hash.update(chunk)
  } catch {
    return false
  }
  return hash.digest('hex') === sha256
}

async function copySynced(source: string, target: string): Promise<void> {
  try {
    await copyFile(source, target)
    await syncPath(target)
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
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
