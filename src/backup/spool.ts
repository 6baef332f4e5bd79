const frameBytesMin = 1024 * 1024

/** Text kept in memory, compressed to about a tenth of its size, until it is read. */
export class Spool {
  private readonly frames: Uint8Array[] = []
  private waiting: string[] = []
  private waitingLength = 0
  /** Whether nothing was added. */
  isEmpty = true

  add(text: string): void {
    this.isEmpty = false
    this.waiting.push(text)
    this.waitingLength += text.length
    if (this.waitingLength >= frameBytesMin) this.press()
  }

  /** Everything that was added, in order. */
  *read(): Generator<Uint8Array> {
    this.press()
    for (const frame of this.frames) yield Bun.zstdDecompressSync(frame)
  }

  private press(): void {
    if (this.waiting.length === 0) return
    this.frames.push(Bun.zstdCompressSync(Buffer.from(this.waiting.join('')), { level: 1 }))
    this.waiting = []
    this.waitingLength = 0
  }
}
