import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../../lib/id.ts'
import {
  noRoom,
  roomLeftBytes,
  UploadFault,
  type UploadFolder,
  type UploadFolders,
  uploadBytesMax,
  uploadFoldersMax,
  uploadPathFault,
  type WrittenFile,
  type ZipTools,
} from '../../operations/upload/upload-folder.ts'
import { assetFile, codeOf, linkOrCopy } from './asset-store.ts'
import { namesIn } from './data-folder.ts'
import { freeBytes } from './free-space.ts'
import { makeScratchFolder, removeAbandoned } from './scratch-folder.ts'

const folderMode = 0o700
const fileMode = 0o600
/** How much is written between two looks at the disk: with an upload in each of the console's places, less than has to stay free. */
const bytesPerLook = 4_194_304

/** Uploads come together below the data folder, on the volume of the asset store, so that stored bytes are linked, not copied. */
export const uploadFolders = (dataDir: string, zip: ZipTools): UploadFolders => ({
  async make(sender) {
    removeAbandoned(dataDir)
    const uploads = uploadsOf(dataDir)
    await mkdir(uploads, { recursive: true, mode: folderMode })
    const scratch = makeScratchFolder(join(uploads, 'an upload'), dataDir)
    const folder = new FilesystemUploadFolder(scratch, {
      assets: join(dataDir, 'assets'),
      kept: new KeptContents(uploads, sender),
      zip,
    })
    await mkdir(folder.dir, { mode: folderMode })
    await mkdir(folder.contents, { mode: folderMode })
    return folder
  },
  isKept: (sender, sha256) => new KeptContents(uploadsOf(dataDir), sender).has(sha256),
  async eraseKeptBefore(at) {
    removeAbandoned(dataDir)
    await eraseKeptBefore(uploadsOf(dataDir), at)
  },
  pack: zip.pack,
})

const uploadsOf = (dataDir: string): string => join(dataDir, 'uploads')

interface UploadPlaces {
  assets: string
  kept: KeptContents
  zip: ZipTools
}

class FilesystemUploadFolder implements UploadFolder {
  readonly dir: string
  readonly contents: string
  private bytes = 0
  private nextLookAt = 0
  private readonly made = new Set<string>()
  private readonly placedKept = new Set<string>()
  private isRemoved = false

  constructor(
    private readonly scratch: { dir: string; remove(): void },
    private readonly places: UploadPlaces,
  ) {
    this.dir = join(scratch.dir, 'folder')
    this.contents = join(scratch.dir, 'contents')
  }

  async write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
    return this.writeTo(await this.fileFor(path), chunks)
  }

  async hold(chunks: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
    const temporary = join(this.contents, newId())
    const written = await this.writeTo(temporary, chunks)
    await rename(temporary, join(this.contents, written.sha256))
    return written
  }

  async unpack(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const file = join(this.scratch.dir, 'upload.zip')
    const { byteCount } = await this.writeTo(file, chunks)
    this.bytes = 0
    this.nextLookAt = 0
    await this.places.zip.unpack(file, byteCount, (path, content) => this.write(path, content))
  }

  async placeHeld(path: string, sha256: string): Promise<boolean> {
    if (await this.place(path, join(this.contents, sha256))) return true
    const isPlaced = await this.place(path, this.places.kept.fileOf(sha256))
    if (isPlaced) this.placedKept.add(sha256)
    return isPlaced
  }

  keepHeld(): Promise<void> {
    return this.places.kept.takeFrom(this.contents)
  }

  forgetPlaced(): Promise<void> {
    return this.places.kept.erase(this.placedKept)
  }

  placeStored(path: string, sha256: string): Promise<boolean> {
    return this.place(path, assetFile(this.places.assets, { sha256, encoding: 'identity' }))
  }

  async pretend(path: string, byteCount: number): Promise<void> {
    const handle = await open(await this.fileFor(path), 'wx', fileMode).catch(refuse)
    await handle.truncate(byteCount)
    await handle.close()
  }

  remove(): void {
    if (this.isRemoved) return
    this.isRemoved = true
    this.scratch.remove()
  }

  private async place(path: string, source: string): Promise<boolean> {
    const file = await this.fileFor(path)
    return linkOrCopy(source, file).then(
      () => true,
      (error) => (codeOf(error) === 'ENOENT' ? false : refuse(error)),
    )
  }

  /** The file of a name, and its folder. @throws UploadFault for a name that is unfit */
  private async fileFor(path: string): Promise<string> {
    const fault = uploadPathFault(path)
    if (fault !== null) throw new UploadFault('unfit', `A file ${fault}.`)
    const file = join(this.dir, path)
    await this.make(dirname(file))
    return file
  }

  /** @throws UploadFault when there are too many */
  private async make(folder: string): Promise<void> {
    if (folder === this.dir || this.made.has(folder)) return
    await this.make(dirname(folder))
    if (this.made.size >= uploadFoldersMax)
      throw new UploadFault('too_large', `An upload can have at most ${uploadFoldersMax} folders.`)
    await mkdir(folder, { recursive: true, mode: folderMode }).catch(refuse)
    this.made.add(folder)
  }

  private async writeTo(file: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
    const handle = await open(file, 'wx', fileMode).catch(refuse)
    const hash = new Bun.CryptoHasher('sha256')
    let byteCount = 0
    try {
      for await (const chunk of chunks) {
        await this.count(chunk.byteLength)
        byteCount += chunk.byteLength
        hash.update(chunk)
        await handle.writeFile(chunk).catch(refuse)
      }
    } finally {
      await handle.close()
    }
    return { sha256: hash.digest('hex'), byteCount }
  }

  /** @throws UploadFault when it is too much, for anybody or for this disk */
  private async count(bytes: number): Promise<void> {
    this.bytes += bytes
    if (this.bytes > uploadBytesMax)
      throw new UploadFault('too_large', `An upload may have ${uploadBytesMax} bytes at most.`)
    if (this.bytes < this.nextLookAt) return
    this.nextLookAt = this.bytes + bytesPerLook
    if ((await freeBytes(this.scratch.dir)) < roomLeftBytes) throw new UploadFault('no_room', noRoom)
  }
}

function refuse(error: unknown): never {
  const code = codeOf(error)
  if (code === 'EEXIST' || code === 'EISDIR' || code === 'ENOTDIR')
    throw new UploadFault('unfit', 'Two files of the folder have the same name, or one has that of a folder.')
  if (code === 'ENAMETOOLONG') throw new UploadFault('unfit', 'A file has a name that is too long.')
  if (code === 'ENOSPC' || code === 'EDQUOT') throw new UploadFault('no_room', noRoom)
  throw error
}

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
