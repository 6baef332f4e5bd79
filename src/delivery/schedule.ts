const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Pauses before each attempt (docs/deliveries.md); after the last one, a delivery has failed. */
const pausesMs: readonly number[] = [
  0,
  5000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
]

const jitter = 0.2
/** A receiver's `Retry-After` is heeded up to this. */
const retryAfterMsMax = hourMs

interface FailedAttempt {
  /** Failed attempts, including this one. */
  attempts: number
  retryAfterMs: number | null
  /** Epoch milliseconds. */
  now: number
  /** In the range [0, 1). */
  random: number
}

/** When to try again, epoch milliseconds; `null`: never, the delivery has failed. */
export function nextAttemptAt({ attempts, retryAfterMs, now, random }: FailedAttempt): number | null {
  const pauseMs = pausesMs[attempts]
  if (pauseMs === undefined) return null
  const jittered = pauseMs * (1 - jitter + 2 * jitter * random)
  const asked = Math.min(retryAfterMs ?? 0, retryAfterMsMax)
  return now + Math.round(Math.max(jittered, asked))
}
