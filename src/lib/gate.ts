import { inTime } from './in-time.ts'

/** How many may wait at a closed gate, and for how long. */
interface GateBounds {
  waitingMax: number
  waitMsMax: number
}

/** A gate that opens, or stays closed, once and for good; early callers wait. */
export class Gate {
  private readonly opening = Promise.withResolvers<boolean>()
  private waiting = 0

  constructor(private readonly bounds: GateBounds) {}

  /** Lets all who wait through, in the order in which they came. */
  open(): void {
    this.opening.resolve(true)
  }

  /** It will never open: turns all away who wait, and all who come. */
  stayClosed(): void {
    this.opening.resolve(false)
  }

  /**
   * Resolves with `true` once the gate is open, and with `false` if it stays closed, for callers beyond the limit or after too long
   * a wait.
   */
  async pass(): Promise<boolean> {
    if (this.waiting >= this.bounds.waitingMax) return false
    this.waiting++
    const passes = await inTime(this.opening.promise, this.bounds.waitMsMax)
    this.waiting--
    return passes === true
  }
}
