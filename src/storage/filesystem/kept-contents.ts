import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { uploadBytesMax } from '../../operations/upload/upload-limits.ts'
import { codeOf } from './asset-store.ts'
import { namesIn } from './names-in.ts'

const folderMode = 0o700
const contentName = /^[0-9a-f]{64}$/
const folderName = 'kept'

/** Contents of failed uploads of one sender, each a file named by its hash. */
export class KeptContents {
  private readonly dir: string

  /** @param sender however it is written */
  constructor(uploads: string, sender: string) {
    this.dir = join(uploads, folderName, new Bun.CryptoHasher('sha256').update(sender).digest('hex'))
  }

  fileOf(sha256: string): string {
    return join(this.dir, sha256)
  }

  async has(sha256: string): Promise<boolean> {
    return contentName.test(sha256) && (await Bun.file(this.fileOf(sha256)).exists())
  }

  /**
   * Takes the whole contents of a folder over, which also renews the time of this one. Earlier ones go if that would be more than an
   * upload may have. Some are lost when another upload of the sender ends meanwhile.
   */
  async takeFrom(folder: string): Promise<void> {
    const names = namesIn(folder).filter((name) => contentName.test(name))
    if (names.length === 0) return
    if ((await bytesIn(this.dir)) + (await bytesIn(folder)) > uploadBytesMax)
      await rm(this.dir, { recursive: true, force: true })
    await mkdir(this.dir, { recursive: true, mode: folderMode })
    for (const name of names) await rename(join(folder, name), this.fileOf(name)).catch(unlessGone)
  }

  async erase(hashes: Iterable<string>): Promise<void> {
    for (const sha256 of hashes) await rm(this.fileOf(sha256), { force: true })
  }
}

/** Erases the contents of senders who have failed no more since. @param at epoch milliseconds */
export async function eraseKeptBefore(uploads: string, at: number): Promise<void> {
  const kept = join(uploads, folderName)
  for (const name of namesIn(kept)) {
    const dir = join(kept, name)
    if ((await stat(dir)).mtimeMs < at) await rm(dir, { recursive: true, force: true })
  }
}

/** They have to be sent again, as if they had not arrived. */
function unlessGone(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error
}

async function bytesIn(dir: string): Promise<number> {
  let bytes = 0
  for (const name of namesIn(dir)) bytes += Bun.file(join(dir, name)).size
  return bytes
}
