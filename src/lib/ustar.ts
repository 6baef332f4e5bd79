import type { OpenedFile } from './opened-file.ts'

/** Everything in an archive comes in blocks of this many bytes (POSIX.1-2024, pax, "ustar Interchange Format"). */
const blockBytes = 512

/** The most that a header's eleven octal digits can say; beyond, a pax record says it. */
const octalSizeMax = 0o77777777777
const nameBytesMax = 100

/** What stands before an entry's bytes. */
interface EntryHeader {
  name: string
  byteCount: number
  /** What may be done with it; readable by its owner alone where nothing is said. A reader does not look at it. */
  mode?: number
}

/** An archive that is not one, or not whole. The message goes on after "it …" and says what was found. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
}

/** The header of a regular file, and before it, for one of 8 GiB and more, the pax record with its size. */
export function encodeHeader({ name, byteCount, mode }: EntryHeader, modifiedAtSeconds: number): Uint8Array {
  if (byteCount <= octalSizeMax) return block({ name, byteCount, mode, type: '0', modifiedAtSeconds })
  const record = new TextEncoder().encode(paxRecord('size', String(byteCount)))
  const pax = block({
    name: `pax/${name}`.slice(0, nameBytesMax),
    byteCount: record.length,
    type: 'x',
    modifiedAtSeconds,
  })
  // Readers take the size from the record; the field cannot hold it.
  const file = block({ name, byteCount: 0, mode, type: '0', modifiedAtSeconds })
  return Buffer.concat([pax, record, padding(record.length), file])
}

/** The header of a folder that everybody may look into; its name ends in a slash. */
export const encodeFolder = (name: string, modifiedAtSeconds: number): Uint8Array =>
  block({ name, byteCount: 0, mode: 0o755, type: '5', modifiedAtSeconds })

/** Zeros up to the next whole block. */
const padding = (byteCount: number): Uint8Array => new Uint8Array(paddingBytes(byteCount))

const paddingBytes = (byteCount: number): number => (blockBytes - (byteCount % blockBytes)) % blockBytes

interface Block {
  name: string
  byteCount: number
  mode?: number | undefined
  type: '0' | '5' | 'x'
  modifiedAtSeconds: number
}

/** Root's, or nobody's: what is unpacked by anybody else belongs to whoever unpacks it. */
function block({ name, byteCount, mode = 0o600, type, modifiedAtSeconds }: Block): Uint8Array {
  if (Buffer.byteLength(name) > nameBytesMax) throw new Error(`an archive's entry has too long a name: ${name}`)
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  header.write(octal(mode, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(byteCount, 11), 124)
  header.write(octal(modifiedAtSeconds, 11), 136)
  header.write(type, 156)
  header.write('ustar\u000000', 257)
  header.write(`${octal(checksum(header), 6)}\u0000 `, 148)
  return header
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

/** The record's length counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = rest.length
  while (`${length}${rest}`.length !== length) length = `${length}${rest}`.length
  return `${length}${rest}`
}

/** The sum of all bytes, those of the checksum itself counted as blanks. */
function checksum(header: Uint8Array): number {
  let sum = 8 * 0x20
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

/**
 * Reads a header; `null`: it is a block of zeros, which ends an archive. Anything but a regular file and its pax
 * record is a fault: no link, folder or device is ever followed or made.
 *
 * @throws ArchiveFault
 */
export function decodeHeader(bytes: Uint8Array): (EntryHeader & { type: '0' | 'x' }) | null {
  const header = Buffer.from(bytes)
  if (header.every((byte) => byte === 0)) return null
  if (header.toString('latin1', 257, 265) !== 'ustar\u000000')
    throw new ArchiveFault('contains something that is not an archive')
  if (readOctal(header, 148, 8) !== checksum(header)) throw new ArchiveFault('has a damaged header')
  const type = header.toString('latin1', 156, 157)
  const name = text(header, 0, nameBytesMax)
  if (type !== '0' && type !== 'x') throw new ArchiveFault(`holds "${name}", which is not a regular file`)
  if (text(header, 345, 155) !== '') throw new ArchiveFault(`holds "${name}" in a folder that no backup has`)
  return { name, byteCount: readOctal(header, 124, 12), type }
}

/** The size in a pax header's content. @throws ArchiveFault when it says anything else */
export function decodePaxSize(content: Uint8Array): number {
  const written = Buffer.from(content).toString('latin1')
  const size = Number(/^[0-9]{1,4} size=([0-9]{1,15})\n$/.exec(written)?.[1] ?? 'none')
  if (Number.isSafeInteger(size) && paxRecord('size', String(size)) === written) return size
  throw new ArchiveFault('has a pax header that no backup has')
}

function readOctal(header: Buffer, from: number, bytes: number): number {
  const digits = /^ *([0-7]+)[\0 ]*$/.exec(header.toString('latin1', from, from + bytes))?.[1]
  if (digits === undefined) throw new ArchiveFault('has a damaged header')
  return Number.parseInt(digits, 8)
}

/** Up to the first zero byte. */
function text(header: Buffer, from: number, bytes: number): string {
  const field = header.subarray(from, from + bytes)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? bytes : end)
}

const chunkBytes = 256 * 1024
const paxBytesMax = 512

/** An entry whose bytes come next. */
export interface ReadEntry extends EntryHeader {
  /** SHA-256 of everything in the archive before this entry. */
  digestBefore: string
  /** The bytes, to be read to their end, once, before the next entry. A chunk is only good until the next one. */
  chunks(): AsyncGenerator<Uint8Array>
}

/** Reads an archive from front to back, in constant memory. */
export class UstarReader {
  private readonly hash = new Bun.CryptoHasher('sha256')
  private readonly buffer = new Uint8Array(chunkBytes)
  private position = 0
  private remaining: number

  constructor(
    private readonly handle: OpenedFile,
    fileBytes: number,
  ) {
    this.remaining = fileBytes
  }

  /** `null`: the archive is at its end. @throws ArchiveFault */
  async next(): Promise<ReadEntry | null> {
    const digestBefore = this.hash.copy().digest('hex')
    const header = await this.header()
    if (header === null) return null
    // Fail early, before the caller reserves space for missing bytes.
    if (header.byteCount > this.remaining) throw new ArchiveFault('ends too early: it is incomplete')
    return { ...header, digestBefore, chunks: () => this.content(header.byteCount) }
  }

  private async header(): Promise<EntryHeader | null> {
    const first = decodeHeader(await this.read(blockBytes))
    if (first?.type !== 'x') return first
    if (first.byteCount > paxBytesMax) throw new ArchiveFault('has a pax header that no backup has')
    const size = decodePaxSize((await this.read(first.byteCount)).slice())
    await this.read(paddingBytes(first.byteCount))
    const file = decodeHeader(await this.read(blockBytes))
    if (file?.type !== '0') throw new ArchiveFault('has a pax header without its file')
    return { name: file.name, byteCount: size }
  }

  private async *content(byteCount: number): AsyncGenerator<Uint8Array> {
    for (let left = byteCount; left > 0; ) {
      const chunk = await this.read(Math.min(left, chunkBytes))
      left -= chunk.length
      yield chunk
    }
    await this.read(paddingBytes(byteCount))
  }

  private async read(bytes: number): Promise<Uint8Array> {
    let filled = 0
    while (filled < bytes) {
      const { bytesRead } = await this.handle.read(this.buffer, filled, bytes - filled, this.position)
      if (bytesRead === 0) throw new ArchiveFault('ends too early: it is incomplete')
      filled += bytesRead
      this.position += bytesRead
    }
    this.remaining -= bytes
    const read = this.buffer.subarray(0, bytes)
    this.hash.update(read)
    return read
  }
}

/** Where an archive's bytes go; resolves once they are taken. */
export type ByteSink = (bytes: Uint8Array) => Promise<void>

/** Writes an archive from front to back, in constant memory. */
export class UstarWriter {
  private readonly hash = new Bun.CryptoHasher('sha256')

  constructor(
    private readonly sink: ByteSink,
    private readonly modifiedAtSeconds: number,
  ) {}

  /** @throws when there are not as many bytes as the header says */
  async entry(header: EntryHeader, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    await this.write(encodeHeader(header, this.modifiedAtSeconds))
    let written = 0
    for await (const chunk of chunks) {
      written += chunk.length
      if (written <= header.byteCount) await this.write(chunk)
    }
    if (written !== header.byteCount) throw new Error(`${header.name} changed its size while it was read`)
    await this.write(padding(header.byteCount))
  }

  /** SHA-256 of everything written so far. */
  digest(): string {
    return this.hash.copy().digest('hex')
  }

  /** Two blocks of zeros end an archive. */
  end(): Promise<void> {
    return this.write(new Uint8Array(2 * blockBytes))
  }

  private async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return
    this.hash.update(bytes)
    await this.sink(bytes)
  }
}
