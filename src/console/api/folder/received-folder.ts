import { join } from 'node:path'
import type { UploadFolder } from '../../../operations/upload/upload-folder.ts'
import { folderWithin, UploadFault, uploadBytesMax } from '../../../operations/upload/upload-folder.ts'
import { ApiError } from '../api-error.ts'
import { type FolderManifest, readManifest } from './manifest.ts'
import { eachFilePart, type FilePart } from './multipart.ts'

/** A site folder that has arrived. */
interface ReceivedFolder {
  /** Absolute. */
  dir: string
  secrets: Readonly<Record<string, string>>
  /** In a dry run by manifest: hashes by absolute path. */
  declared?: ReadonlyMap<string, string>
  /** Of everything that was sent, the contents beside a manifest excepted: it has their hashes. */
  sha256: string
}

interface Receiving {
  upload: UploadFolder
  dryRun: boolean
  /** Whether the account has content with this hash, and the box has its bytes. */
  hasContent(sha256: string): Promise<boolean>
}

export const folderTypes = ['application/zip', 'multipart/form-data'] as const

/**
 * Assembles the folder of a request while it arrives: a zip; a form with a zip, or with the files of the folder by name; or a
 * form with a manifest and the contents that the box lacks.
 *
 * @throws UploadFault; ApiError `wrong_type`
 */
export async function receiveFolder(request: Request, receiving: Receiving): Promise<ReceivedFolder> {
  try {
    return await received(request, receiving)
  } catch (error) {
    // Nobody reads this answer; it keeps the abort from being logged as a failure.
    if (error instanceof Error && error.name === 'AbortError') throw new UploadFault('unfit', 'The upload broke off.')
    throw error
  }
}

async function received(request: Request, receiving: Receiving): Promise<ReceivedFolder> {
  const [written = ''] = (request.headers.get('content-type') ?? '').split(';')
  const type = written.trim().toLowerCase()
  const sent = new Bun.CryptoHasher('sha256')
  const folder = await receivedAs(type, { request, receiving, sent })
  return { ...folder, sha256: sent.digest('hex') }
}

type Folder = Omit<ReceivedFolder, 'sha256'>

interface Arriving {
  request: Request
  receiving: Receiving
  /** Takes in what was sent. */
  sent: Bun.CryptoHasher
}

async function receivedAs(type: string, arriving: Arriving): Promise<Folder> {
  const { request, receiving, sent } = arriving
  const { upload } = receiving
  if (type === 'application/zip' || type === 'application/x-zip-compressed') {
    await upload.unpack(hashed(uploaded(request), sent))
    return { dir: upload.dir, secrets: {} }
  }
  if (type === 'multipart/form-data') return receiveForm(arriving)
  throw new ApiError('wrong_type', 'Send the folder as application/zip, or as multipart/form-data.')
}

/** Chunks are garbage soon, but eight uploads at once make 300 MB of it before Bun collects any. */
const uncollectedBytesMax = 8_388_608

/** The body as it arrives. @throws UploadFault as soon as its declared or its real length is too large */
async function* uploaded({ headers, body }: Request): AsyncGenerator<Uint8Array> {
  let bytes = Number(headers.get('content-length') ?? 0)
  const within = () => {
    if (bytes > uploadBytesMax)
      throw new UploadFault('too_large', `An upload can have at most ${uploadBytesMax / 2 ** 30} GiB.`)
  }
  within()
  bytes = 0
  let uncollected = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    within()
    yield chunk
    uncollected += chunk.byteLength
    if (uncollected < uncollectedBytesMax) continue
    uncollected = 0
    Bun.gc(true)
  }
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hasher: Bun.CryptoHasher): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hasher.update(chunk)
    yield chunk
  }
}

async function receiveForm({ request, receiving, sent }: Arriving): Promise<Folder> {
  const { upload } = receiving
  const paths: string[] = []
  const sentHashes = new Set<string>()
  const found: { manifest: FolderManifest | null; zips: number } = { manifest: null, zips: 0 }
  await eachFilePart(request.headers, uploaded(request), async (part) => {
    const chunks = hashed(part.chunks, sent)
    if (part.field === 'manifest') found.manifest = await readManifest(chunks, part.type === 'application/gzip')
    else if (part.field === 'content') sentHashes.add((await upload.hold(part.chunks)).sha256)
    else if (isZip(part)) await upload.unpack(onlyOne(chunks, ++found.zips))
    else if (part.fileName !== '') paths.push(await written(part, upload, sent))
    else for await (const _ of part.chunks);
  })
  if (found.manifest !== null) return fromManifest(found.manifest, sentHashes, receiving)
  if (found.zips === 0 && paths.length === 0)
    throw new UploadFault('unfit', 'The form has no files. Choose a zip of the site folder, or the folder itself.')
  return { dir: join(upload.dir, folderWithin(paths)), secrets: {} }
}

const isZip = ({ field, fileName }: FilePart): boolean => field === 'zip' && fileName !== ''

function onlyOne(chunks: FilePart['chunks'], number: number): FilePart['chunks'] {
  if (number > 1) throw new UploadFault('unfit', 'The form has more than one zip. Send one.')
  return chunks
}

async function written({ fileName, chunks }: FilePart, upload: UploadFolder, sent: Bun.CryptoHasher): Promise<string> {
  const { sha256 } = await upload.write(fileName, chunks)
  sent.update(`${JSON.stringify(fileName)} ${sha256}\n`)
  return fileName
}

async function fromManifest(
  { siteToml, secrets, files }: FolderManifest,
  sentHashes: ReadonlySet<string>,
  { upload, dryRun, hasContent }: Receiving,
): Promise<Folder> {
  await upload.write('site.toml', textOf(siteToml))
  const { dir } = upload
  const declared = new Map<string, string>()
  let missing = 0
  for (const { path, sha256, bytes } of files) {
    if (dryRun) {
      // A dry run needs no contents, but compares those that it gets.
      if (sentHashes.has(sha256) && (await upload.placeHeld(path, sha256))) continue
      await upload.pretend(path, bytes)
      declared.set(join(dir, path), sha256)
    } else if (await upload.placeHeld(path, sha256)) continue
    else if (!(await hasContent(sha256)) || !(await upload.placeStored(path, sha256))) missing++
  }
  if (missing === 0) return dryRun ? { dir, secrets, declared } : { dir, secrets }
  throw new ApiError(
    'conflict',
    `The box lacks the contents of ${missing} of the files. Ask which ones, and send them.`,
  )
}

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}
