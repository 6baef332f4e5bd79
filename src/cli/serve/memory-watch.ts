/** In bytes. Below this resident memory no collection is requested; a busy server stays near 200 MB (docs/performance.md). */
const residentBytesMin = 120 * 1024 * 1024
/** How far the process may grow above its resting size. */
const growthMax = 1.25
/** The resting size is the minimum after this many collections, because a collection at a busy moment leaves more. */
const collectionsRemembered = 10

interface Memory {
  /** `null`: unreadable, for example without a free descriptor. */
  residentBytes(): number | null
  collect(): void
}

const ownMemory: Memory = {
  residentBytes: () => {
    try {
      return process.memoryUsage.rss()
    } catch {
      return null
    }
  },
  collect: () => Bun.gc(false),
}

/**
 * Requests a full collection when the process has grown by a quarter above its size after collections. By default the engine keeps
 * old garbage until the heap has doubled, which is late on a machine with much memory. Collections run concurrently, so their
 * result is read at the next check.
 */
export class MemoryWatch {
  private readonly left: number[] = []
  private isCollecting = false

  constructor(private readonly memory: Memory = ownMemory) {}

  async look(): Promise<void> {
    const residentBytes = this.memory.residentBytes()
    if (residentBytes === null) return
    if (this.isCollecting) this.remember(residentBytes)
    this.isCollecting = residentBytes > this.bytesMax()
    if (this.isCollecting) this.memory.collect()
  }

  private remember(bytes: number): void {
    this.left.push(bytes)
    if (this.left.length > collectionsRemembered) this.left.shift()
  }

  private bytesMax(): number {
    const atRest = this.left.length === 0 ? 0 : Math.min(...this.left)
    return Math.max(residentBytesMin, atRest * growthMax)
  }
}
