/** Resident memory below which nothing is asked for, in bytes: a busy server stays near 200 MB (docs/performance.md). */
const residentBytesMin = 120 * 1024 * 1024
/** How far above what it holds at rest the process may grow. */
const growthMax = 1.25
/** What the process holds at rest is the least of so many collections: one that met a busy moment leaves more behind. */
const collectionsRemembered = 10

export interface Memory {
  /** `null`: the system does not say, as when no descriptor is left to read it with. */
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
 * Asks for a collection of the whole heap when the process has grown by a quarter over what collections leave. Left
 * alone the engine lets garbage that once survived lie until the heap has doubled, which on a machine with much memory
 * is late. A collection runs beside the requests, so what it leaves is read at the next look.
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
