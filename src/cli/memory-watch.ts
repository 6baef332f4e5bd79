/** Resident memory beyond which the heap is collected, in bytes: a busy server stays near 200 MB (docs/performance.md). */
const residentBytesMax = 120 * 1024 * 1024

/**
 * Asks for a collection of the whole heap when the process has grown. Left alone the engine lets garbage that once
 * survived lie until the heap has doubled, which on a machine with much memory is late. It runs beside the requests.
 */
export async function collectWhenLarge(): Promise<void> {
  if (process.memoryUsage.rss() > residentBytesMax) Bun.gc(false)
}
