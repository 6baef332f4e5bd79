import type { OpenedFile } from '../opened-file.ts'
import { ArchiveFault, blockBytes, decodeHeader, decodePaxSize, type EntryHeader, paddingBytes } from './header.ts'

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
