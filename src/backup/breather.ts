import type { Clock } from '../lib/clock.ts'

/** The longest work without a pause, and so the longest that captures wait for the processor. */
const workMsMax = 20

/**
 * Returns a function that sometimes pauses, so that work takes at most a share of the time.
 *
 * @param share of the time, above 0 and up to 1
 */
export function breather(clock: Pick<Clock, 'monotonicMs'>, share: number): () => Promise<void> {
  let sinceMs = clock.monotonicMs()
  return async () => {
    const workedMs = clock.monotonicMs() - sinceMs
    if (workedMs < workMsMax) return
    await Bun.sleep(Math.min(workedMs / share - workedMs, pauseMsMax))
    sinceMs = clock.monotonicMs()
  }
}

/** A slow target leaves enough time by itself. */
const pauseMsMax = 200

/** What nobody waits for: bases after the first one, and checks. */
export const calmShare = 0.2
/** A first base, until which nothing is protected, and one that somebody waits for. */
export const promptShare = 0.5
