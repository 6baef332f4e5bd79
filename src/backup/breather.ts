import type { Clock } from '../lib/clock.ts'

/** The longest work without a pause, and so the longest that captures wait for the processor. */
const workMsMax = 20

/** Returns a function that sometimes pauses for as long as it worked: a base takes at most half a processor. */
export function breather(clock: Pick<Clock, 'monotonicMs'>): () => Promise<void> {
  let sinceMs = clock.monotonicMs()
  return async () => {
    const workedMs = clock.monotonicMs() - sinceMs
    if (workedMs < workMsMax) return
    await Bun.sleep(Math.min(workedMs, pauseMsMax))
    sinceMs = clock.monotonicMs()
  }
}

/** A slow target leaves enough time by itself. */
const pauseMsMax = 100
