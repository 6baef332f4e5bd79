import type { Clock } from '../lib/clock.ts'

/** Work in one go; captures that need the same processor wait no longer for it. */
const workMsMax = 20

/** Returns a function that pauses, once in a while, for as long as was worked: a base takes half a processor at most. */
export function breather(clock: Pick<Clock, 'monotonicMs'>): () => Promise<void> {
  let sinceMs = clock.monotonicMs()
  return async () => {
    const workedMs = clock.monotonicMs() - sinceMs
    if (workedMs < workMsMax) return
    await Bun.sleep(Math.min(workedMs, pauseMsMax))
    sinceMs = clock.monotonicMs()
  }
}

/** A slow target leaves time enough by itself. */
const pauseMsMax = 100
