import { type AssetStore, type StoredBytes, type StreamedBytes, storedEncodings } from '../../asset/asset-store.ts'
import { storedBytesNamed, storedName } from '../../asset/stored-name.ts'
import type { OpenedFile } from '../../lib/opened-file.ts'
import { sealKeyName, sealKeyOf, sealKeyText } from '../../lib/seal.ts'
import { ArchiveFault, type ByteSink, type ReadEntry, UstarReader, UstarWriter } from '../../lib/ustar.ts'

/**
 * A backup is one uncompressed tar file, so that any tar can look into it. In this order:
 *
 * - `capture-backup.json`: the manifest
 * - `capture.db`: the database, a consistent copy
 * - `seal.key`: the key of the secrets in the database; absent: none of them is sealed
 * - `assets/<sha256>`, `assets/<sha256>.br`, `assets/<sha256>.gz`: published bytes, in order of these names
 * - `sha256`: the SHA-256, in hex, of every byte of the file before this entry
 */
const manifestName = 'capture-backup.json'
const databaseName = 'capture.db'
const digestName = 'sha256'

const manifestBytesMax = 10_000
const digestBytes = 65

interface Manifest {
  format: 1
  createdAt: string
  /** The program's version. */
  program: string
  /** Hashes of contents left out because they were damaged: at most the first 100. */
  damaged?: string[]
  /** Absent: it holds a whole box. */
  account?: MovedAccountNote
}

/** The only account in a file for another box. */
export interface MovedAccountNote {
  handle: string
  /** It holds only records received since, ISO 8601; `null`: the whole account. */
  since: string | null
}

const damagedNamedMax = 100

interface BackupContents extends Required<Pick<Manifest, 'createdAt' | 'program' | 'damaged'>> {
  account: MovedAccountNote | undefined
  /** A closed copy of the database. */
  databaseFile: string
  sealKey: Uint8Array | null
  hashes: Iterable<string>
  assets: Pick<AssetStore, 'open'>
}

interface WrittenContents {
  assets: number
  missing: number
}

/** Writes a backup in constant memory. Nothing may be collected from the asset store meanwhile. */
export async function writeArchive(contents: BackupContents, sink: ByteSink): Promise<WrittenContents> {
  const manifest = manifestOf(contents)
  const archive = new UstarWriter(sink, Math.floor(Date.parse(manifest.createdAt) / 1000))
  await archive.entry(...text(manifestName, `${JSON.stringify(manifest, null, 2)}\n`))
  const database = Bun.file(contents.databaseFile)
  await archive.entry({ name: databaseName, byteCount: database.size }, database.stream())
  if (contents.sealKey !== null) await archive.entry(...text(sealKeyName, sealKeyText(contents.sealKey)))
  const written = await writeAssets(contents, archive)
  await archive.entry(...text(digestName, `${archive.digest()}\n`))
  await archive.end()
  return written
}

const manifestOf = ({ createdAt, program, damaged, account }: BackupContents): Manifest => ({
  ...{ format: 1, createdAt, program },
  ...(damaged.length === 0 ? {} : { damaged: damaged.slice(0, damagedNamedMax) }),
  ...(account === undefined ? {} : { account }),
})

async function writeAssets({ hashes, assets }: BackupContents, archive: UstarWriter): Promise<WrittenContents> {
  const written: WrittenContents = { assets: 0, missing: 0 }
  for (const sha256 of hashes) {
    const identity = await assets.open({ sha256, encoding: 'identity' })
    if (identity === null) {
      written.missing++
      continue
    }
    written.assets++
    for (const encoding of storedEncodings) {
      const key = { sha256, encoding }
      const bytes = encoding === 'identity' ? identity : await assets.open(key)
      if (bytes !== null) await archive.entry({ name: storedName(key), byteCount: bytes.size }, bytes.stream())
    }
  }
  return written
}

function text(name: string, content: string): [header: { name: string; byteCount: number }, chunks: Uint8Array[]] {
  const bytes = new TextEncoder().encode(content)
  return [{ name, byteCount: bytes.length }, [bytes]]
}

const sealKeyBytesMax = 100
/** As large as the largest publishable file. */
const assetBytesMax = 1_073_741_824

/** Where the parts of a backup go. */
interface BackupTakers {
  /** Reads all chunks; each is valid only until the next one. */
  database(chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Called after the database, if its secrets are sealed. */
  sealKey(key: Uint8Array): void
  /** Reads all chunks or none; the chunks throw at their end if the bytes do not match their hash. */
  asset(key: StoredBytes, content: StreamedBytes): Promise<void>
}

/** Reads a backup to its end and keeps nothing. @throws ArchiveFault */
export async function verifyArchive(handle: OpenedFile): Promise<void> {
  await readArchive(handle, { database: drain, asset: (_, { chunks }) => drain(chunks), sealKey() {} })
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

/**
 * Reads a backup from front to back without trusting it: names, order, sizes and checksums are
 * checked. What the target received counts only once this has resolved.
 *
 * @throws ArchiveFault
 */
export async function readArchive(
  handle: OpenedFile,
  target: BackupTakers,
): Promise<
  Omit<Required<Manifest>, 'format' | 'program' | 'account'> & { account: MovedAccountNote | null; assets: number }
> {
  const reader = new UstarReader(handle, (await handle.stat()).size)
  const {
    createdAt,
    damaged = [],
    account = null,
  } = readManifest(await small(await named(reader, manifestName), manifestBytesMax))
  const database = await named(reader, databaseName)
  await target.database(database.chunks())
  let assets = 0
  let last = ''
  let entry = await reader.next()
  if (entry?.name === sealKeyName) {
    target.sealKey(await sealKeyIn(entry))
    entry = await reader.next()
  }
  for (; ; entry = await reader.next()) {
    if (entry === null) throw new ArchiveFault('ends without its checksum: it is incomplete')
    if (entry.name === digestName) {
      await assertDigest(entry)
      break
    }
    const key = storedBytesNamed(entry.name)
    if (key === null) throw new ArchiveFault(`holds "${entry.name}", which no backup has`)
    if (entry.name <= last) throw new ArchiveFault(`holds "${entry.name}" twice or out of order`)
    last = entry.name
    if (key.encoding === 'identity') assets++
    if (entry.byteCount > assetBytesMax) throw new ArchiveFault(`holds "${entry.name}" in a size that no backup has`)
    const chunks = verifiedChunks(entry, key)
    await target.asset(key, { byteCount: entry.byteCount, chunks })
    // A store that already has the content does not read it.
    await drain(chunks)
  }
  if ((await reader.next()) !== null) throw new ArchiveFault('goes on after its checksum')
  return { createdAt, damaged, account, assets }
}

async function named(reader: UstarReader, name: string): Promise<ReadEntry> {
  const entry = await reader.next()
  if (entry?.name === name) return entry
  throw new ArchiveFault(`is not a backup of Capture: ${name} is not in its place`)
}

async function sealKeyIn(entry: ReadEntry): Promise<Uint8Array> {
  const key = sealKeyOf(new TextDecoder().decode(await small(entry, sealKeyBytesMax)))
  if (key === null) throw new ArchiveFault(`holds a "${sealKeyName}" that is no key`)
  return key
}

async function small(entry: ReadEntry, bytesMax: number): Promise<Uint8Array> {
  if (entry.byteCount > bytesMax) throw new ArchiveFault(`holds "${entry.name}" in a size that no backup has`)
  return wholeOf({ byteCount: entry.byteCount, chunks: entry.chunks() })
}

/** All bytes of a content at once. */
async function wholeOf({ byteCount, chunks }: StreamedBytes): Promise<Uint8Array> {
  const whole = new Uint8Array(byteCount)
  let at = 0
  for await (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function readManifest(bytes: Uint8Array): Manifest {
  let written: Partial<Record<keyof Manifest, unknown>> | null
  try {
    written = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new ArchiveFault('has an unreadable manifest')
  }
  const { format, createdAt, program, damaged, account } = written ?? {}
  if (format !== 1) throw new ArchiveFault('was written by a newer version of capture')
  if (typeof createdAt !== 'string' || typeof program !== 'string') throw new ArchiveFault('has an unreadable manifest')
  return {
    format,
    createdAt,
    program,
    ...(isHashes(damaged) ? { damaged } : {}),
    ...(isAccountNote(account) ? { account } : {}),
  }
}

const isAccountNote = (written: unknown): written is MovedAccountNote => {
  const { handle, since } = (written ?? {}) as Partial<Record<keyof MovedAccountNote, unknown>>
  return typeof handle === 'string' && (since === null || typeof since === 'string')
}

const isHashes = (written: unknown): written is string[] =>
  Array.isArray(written) && written.every((hash) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash))

/** Published bytes are named by their own hash; the archive's checksum covers their compressed variants. */
async function* verifiedChunks(entry: ReadEntry, { sha256, encoding }: StoredBytes): AsyncGenerator<Uint8Array> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of entry.chunks()) {
    hash.update(chunk)
    yield chunk
  }
  if (encoding === 'identity' && hash.digest('hex') !== sha256) {
    throw new ArchiveFault(`is damaged: ${entry.name} does not match its checksum`)
  }
}

async function assertDigest(entry: ReadEntry): Promise<void> {
  const written = new TextDecoder().decode(await small(entry, digestBytes)).trim()
  if (written !== entry.digestBefore) throw new ArchiveFault('is damaged: it does not match its checksum')
}
