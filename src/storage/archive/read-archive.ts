import type { StoredBytes, StreamedBytes } from '../../asset/asset-store.ts'
import { storedBytesNamed } from '../../asset/stored-name.ts'
import type { OpenedFile } from '../../lib/opened-file.ts'
import { ArchiveFault } from '../../lib/ustar/header.ts'
import { type ReadEntry, UstarReader } from '../../lib/ustar/reader.ts'
import type { MovedAccountNote } from '../../operations/backup/backup-ports.ts'
import type { BackupTakers, ReadBackup } from '../../operations/backup/restore-ports.ts'
import { sealKeyName, sealKeyOf } from '../disk/seal-key-file.ts'
import {
  databaseName,
  digestBytes,
  digestName,
  type Manifest,
  manifestBytesMax,
  manifestName,
} from './archive-format.ts'

const sealKeyBytesMax = 100
/** As large as the largest publishable file. */
const assetBytesMax = 1_073_741_824

/** Examines everything and keeps nothing: used to read back what was written. */
export const verifyOnly: BackupTakers = { database: drain, asset: (_, { chunks }) => drain(chunks), sealKey() {} }

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

/**
 * Reads a backup (archive-format.ts) from front to back without trusting it: names, order, sizes and checksums are
 * checked. What the target received counts only once this has resolved.
 *
 * @throws ArchiveFault
 */
export async function readArchive(handle: OpenedFile, target: BackupTakers): Promise<ReadBackup> {
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
