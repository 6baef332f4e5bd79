import { type BackupTarget, ObjectFault } from '../target/backup-target.ts'
import { partName } from './object-names.ts'
import { DataKeys, type Sealer, type Unsealer, WrongIdentity } from './sealing.ts'

/** The unencrypted header at the start of every bundle's head. */
interface Header {
  /** The object's own name: the checksum covers it, so that a copy of another object is known without a key. */
  name: string
  /** Parts before the head: bytes and SHA-256 (hex) of each as it is stored. */
  parts: [bytes: number, sha256: string][]
  /** The data key, encrypted with age and armored; `null`: the bundle is not encrypted. */
  key: string | null
}

interface BaseHeader extends Header {
  kind: 'base'
  /** The position up to which the copy has processed its ledger. */
  processed: number
  program: string
  /** Migrations of the copied database. Increments fit only a base with the same number. */
  schema: number
  databaseBytes: number
  /** Published contents that the copy names and the box had lost. */
  missingAssets: number
  /** The key of the secrets in the database, sealed like a part, in base64; absent: none of them is sealed. */
  sealKey?: string
}

/** Entries of the ledger, and the changes of the state (increment-lines.ts). */
interface IncrementHeader extends Header {
  kind: 'increment'
  /** The position up to which the ledger was processed when the state was read. */
  processed: number
  program: string
  schema: number
}

/** `asset`: bytes of a page, an image or a file, or of a compressed variant. `list`: the published contents, or the erasures, of a base. */
interface PlainHeader<Kind> extends Header {
  kind: Kind
}

export type BundleHeader = BaseHeader | IncrementHeader | PlainHeader<'asset'> | PlainHeader<'list'>

const mark = 'capture-backup 1 '
const lineFeed = 10
const firstLineBytes = mark.length + 64 + 1

/**
 * A head is a line with the format and the SHA-256 of everything after it, a line with the header as JSON, and the last part of
 * the body. Every object can therefore be checked without a key, even by hand.
 */
function encodeHead(header: string, body: Uint8Array): Uint8Array {
  const text = Buffer.from(`${header}\n`)
  const digest = new Bun.CryptoHasher('sha256').update(text).update(body).digest('hex')
  return Buffer.concat([Buffer.from(`${mark}${digest}\n`), text, body])
}

export interface Head<H extends BundleHeader = BundleHeader> {
  header: H
  /** The header's text, to which the encryption binds the body. */
  text: string
  /** The body's last part as stored. */
  body: Uint8Array<ArrayBuffer>
}

/** @throws ObjectFault */
function decodeHead(name: string, bytes: Uint8Array<ArrayBuffer>): Head {
  const first = new TextDecoder().decode(bytes.subarray(0, firstLineBytes))
  if (!/^capture-backup \d+ /.test(first)) throw new ObjectFault(name, 'was not written by capture')
  if (!first.startsWith(mark)) throw new ObjectFault(name, 'was written by a newer version of capture')
  const rest = bytes.subarray(firstLineBytes)
  if (Bun.SHA256.hash(rest, 'hex') !== first.slice(mark.length).trimEnd())
    throw new ObjectFault(name, 'is damaged: it does not match its checksum')
  const end = rest.indexOf(lineFeed)
  const text = new TextDecoder().decode(rest.subarray(0, end))
  const header = parsedHeader(text)
  if (header === null) throw new ObjectFault(name, 'is damaged: its header cannot be read')
  if (header.name !== name) throw new ObjectFault(name, 'is damaged: it was written under another name')
  return { header, text, body: rest.subarray(end + 1) }
}

function parsedHeader(text: string): BundleHeader | null {
  try {
    return JSON.parse(text) as BundleHeader
  } catch {
    return null
  }
}

type HeadOf<K extends BundleHeader['kind']> = Head<Extract<BundleHeader, { kind: K }>>

/** Reads the head of a bundle. @throws ObjectFault when it is missing, damaged, or of another kind */
export async function readHead<K extends BundleHeader['kind']>(
  target: BackupTarget,
  name: string,
  kind: K,
): Promise<HeadOf<K>> {
  const head = await findHead(target, name, kind)
  if (head === null) throw new ObjectFault(name, 'is missing')
  return head
}

/** `null`: there is no such bundle. @throws ObjectFault when its head is damaged, or of another kind */
export async function findHead<K extends BundleHeader['kind']>(
  target: BackupTarget,
  name: string,
  kind: K,
): Promise<HeadOf<K> | null> {
  const bytes = await target.get(name)
  if (bytes === null) return null
  const head = decodeHead(name, bytes)
  if (head.header.kind !== kind) throw new ObjectFault(name, `is damaged: it is not of the kind "${kind}"`)
  return head as HeadOf<K>
}

/** Puts a bundle's head again, as it was read, so that the target takes the bundle for new. */
export const touchBundle = (target: BackupTarget, name: string, { text, body }: Head): Promise<void> =>
  target.put(name, encodeHead(text, body))

/** Reads every part of a bundle and compares it with its checksum, which needs no identity. @throws ObjectFault */
export async function checkBundle(target: BackupTarget, name: string, head: Head): Promise<void> {
  for await (const _ of storedParts(target, name, head));
}

/**
 * The bytes of a bundle, checked piece by piece. They are valid only once the end is reached.
 *
 * @throws ObjectFault when a part is missing or damaged, WrongIdentity
 */
export async function* readBundle(
  target: BackupTarget,
  name: string,
  { head, keys }: { head: Head; keys: Unsealer },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { header, text, body } = head
  for await (const part of storedParts(target, name, head))
    yield await plain(part.name, () => keys.unseal(header.key, part.bytes, part.name))
  yield await plain(name, () => keys.unseal(header.key, body, `${name}\n${text}`))
}

/** The lines of a list, which is never encrypted. @throws ObjectFault when it is missing or damaged */
export async function readNames(target: BackupTarget, list: string): Promise<string[]> {
  const head = await readHead(target, list, 'list')
  const chunks = await Array.fromAsync(readBundle(target, list, { head, keys: new DataKeys([]) }))
  return Buffer.concat(chunks).toString().split('\n').filter(Boolean)
}

async function* storedParts(
  target: BackupTarget,
  bundle: string,
  { header }: Head,
): AsyncGenerator<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  for (const [index, [length, sha256]] of header.parts.entries()) {
    const name = partName(bundle, index + 1)
    const bytes = await target.get(name)
    if (bytes === null) throw new ObjectFault(name, 'is missing')
    if (bytes.length !== length || Bun.SHA256.hash(bytes, 'hex') !== sha256)
      throw new ObjectFault(name, 'is damaged: it does not match its checksum')
    yield { name, bytes }
  }
}

async function plain(name: string, unseal: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await Bun.zstdDecompress(await unseal()))
  } catch (error) {
    if (error instanceof WrongIdentity) throw error
    throw new ObjectFault(name, 'is damaged: it cannot be decrypted')
  }
}

/** Plain bytes of a part. Compressed, encrypted and with its header, it stays below `objectBytesMax`. */
export const partBytesMax = 8 * 1024 * 1024

/** A header without the members that the writer adds. */
export type GivenHeader = BundleHeader extends infer H
  ? H extends BundleHeader
    ? Omit<H, 'name' | 'parts' | 'key'>
    : never
  : never

interface Bundle {
  name: string
  /** Called once all chunks have been read. */
  header: () => GivenHeader
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Writes bytes of any length in parts, each compressed (zstd), then encrypted. The head comes last and contains the last part:
 * an interrupted bundle has no head, and so does not exist.
 *
 * @returns the bytes stored
 */
export async function writeBundle(target: BackupTarget, sealer: Sealer, bundle: Bundle): Promise<number> {
  const { name, chunks, header } = bundle
  const parts: BundleHeader['parts'] = []
  let waiting: Uint8Array<ArrayBuffer> | null = null
  for await (const part of partsOf(chunks)) {
    if (waiting !== null) {
      const stored = partName(name, parts.length + 1)
      const sealed = await sealer.seal(await sealer.compress(waiting), stored)
      await target.put(stored, sealed)
      parts.push([sealed.length, Bun.SHA256.hash(sealed, 'hex')])
    }
    waiting = part
  }
  const text = JSON.stringify({ name, ...header(), parts, key: sealer.key } satisfies BundleHeader)
  const body = await sealer.seal(await sealer.compress(waiting ?? new Uint8Array()), `${name}\n${text}`)
  const head = encodeHead(text, body)
  await target.put(name, head)
  return parts.reduce((sum, [bytes]) => sum + bytes, head.length)
}

/** The bytes in pieces of `partBytesMax`; the last may be shorter. */
async function* partsOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let gathered: Uint8Array[] = []
  let room = partBytesMax
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      // Copied, because a chunk is valid only until the next one.
      const piece = chunk.slice(at, at + room)
      gathered.push(piece)
      at += piece.length
      room -= piece.length
      if (room > 0) continue
      yield joined(gathered)
      gathered = []
      room = partBytesMax
    }
  }
  if (gathered.length > 0) yield joined(gathered)
}

function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
