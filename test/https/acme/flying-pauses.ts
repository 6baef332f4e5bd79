import type { Pause } from '../../../src/https/acme/acme-connection.ts'
import type { Clock } from '../../../src/lib/clock.ts'

/** Pauses that take no time; the clock moves by them. */
export function flyingPauses(): { clock: Clock; pause: Pause; pauses: number[] } {
  const pauses: number[] = []
  let elapsedMs = 0
  return {
    clock: { now: () => Date.now() + elapsedMs, monotonicMs: () => elapsedMs },
    pause: async (ms) => {
      pauses.push(ms)
      elapsedMs += ms
    },
    pauses,
  }
}
