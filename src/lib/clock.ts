/** The source of time. Tests hold it still. */
export interface Clock {
  /** Milliseconds since the Unix epoch: the instant that is stored. May step back. */
  now(): number
  /** Milliseconds since an arbitrary start: for intervals. Never steps back. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
}
