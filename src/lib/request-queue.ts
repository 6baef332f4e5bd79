import { inTime } from './in-time.ts'

/** How many may wait, and for how long. */
interface QueueBounds {
  waitingMax: number
  waitMsMax: number
}

/** Holds requests until somebody can answer them. It is released or turned away once, and for good. */
export class RequestQueue {
  private readonly outcome = Promise.withResolvers<boolean>()
  private waiting = 0

  constructor(private readonly bounds: QueueBounds) {}

  /** Lets all who wait go on, in the order in which they came, and all who come. */
  release(): void {
    this.outcome.resolve(true)
  }

  /** Refuses all who wait, and all who come. */
  turnAway(): void {
    this.outcome.resolve(false)
  }

  /**
   * Resolves with `true` once the queue is released, and with `false` if it is turned away, for callers beyond the limit or after
   * too long a wait.
   */
  async wait(): Promise<boolean> {
    if (this.waiting >= this.bounds.waitingMax) return false
    this.waiting++
    const passes = await inTime(this.outcome.promise, this.bounds.waitMsMax)
    this.waiting--
    return passes === true
  }
}
