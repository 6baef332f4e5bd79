import { blockBytes, type EntryHeader, encodeHeader, padding } from './header.ts'

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
