import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { UploadStore } from '../../capture/file/upload-store.ts'
import { syncPath, writeSynced } from '../disk/synced.ts'
import { assetFile, codeOf, copySynced, linkOrCopy } from './asset-store.ts'
import { freeBytes } from './free-space.ts'

const ownerOnly = 0o700
const noteEnding = '.json'
const namePattern = /^(svc_up_[A-Za-z0-9]{32})(\.json)?$/

/** Opens the folder of files that wait for their submission, creating it on the first run. */
export async function openUploadStore(dataDir: string): Promise<UploadStore> {
  const dir = join(dataDir, 'waiting-files')
  await mkdir(dir, { recursive: true, mode: ownerOnly })
  return new FilesystemUploadStore(dir, join(dataDir, 'assets'))
}

/** `TOKEN` holds the bytes, as they are stored later; `TOKEN.json` is the note, without which they are not whole. */
class FilesystemUploadStore implements UploadStore {
  constructor(
    private readonly dir: string,
    private readonly assetsDir: string,
  ) {}

  async write(token: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      await writeSynced(this.fileOf(token), chunks)
    } catch (error) {
      await rm(this.fileOf(token), { force: true })
      throw error
    }
  }

  open(token: string): Blob {
    return Bun.file(this.fileOf(token))
  }

  async note(token: string, text: string): Promise<void> {
    const file = this.fileOf(token) + noteEnding
    try {
      // Without it a power cut can leave the name with no text behind it.
      await writeSynced(`${file}.part`, [new TextEncoder().encode(text)])
      await rename(`${file}.part`, file)
    } catch (error) {
      await rm(`${file}.part`, { force: true })
      throw error
    }
    await syncPath(this.dir)
  }

  async *noted(): AsyncIterable<[token: string, text: string]> {
    const names = await readdir(this.dir)
    const noted = new Set(
      names.flatMap((name) => (name.endsWith(noteEnding) ? [name.slice(0, -noteEnding.length)] : [])),
    )
    for (const name of names) {
      const [, token, isNote] = namePattern.exec(name) ?? []
      const isWhole = token !== undefined && noted.has(token) && names.includes(token)
      if (!isWhole) await rm(join(this.dir, name), { force: true, recursive: true })
      else if (isNote !== undefined) yield [token, await Bun.file(join(this.dir, name)).text()]
    }
  }

  async keep(token: string, sha256: string): Promise<void> {
    const kept = assetFile(this.assetsDir, { sha256, encoding: 'identity' })
    const made = await mkdir(dirname(kept), { recursive: true, mode: ownerOnly })
    if (made !== undefined) await syncPath(this.assetsDir)
    await linkOrCopy(this.fileOf(token), kept, copySynced).catch((error) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    await syncPath(dirname(kept))
  }

  async remove(token: string): Promise<void> {
    await rm(this.fileOf(token) + noteEnding, { force: true })
    await rm(this.fileOf(token), { force: true })
  }

  freeBytes(): Promise<number> {
    return freeBytes(this.dir)
  }

  /** Tokens come from our own random source: none is a path. */
  private fileOf(token: string): string {
    return join(this.dir, token)
  }
}
