/** How many may wait at a closed gate, and for how long. */
interface GateBounds {
  waitingMax: number
  waitMsMax: number
}

/** A gate that opens once and for good; early callers wait. */
export class Gate {
  private readonly opening = Promise.withResolvers<true>()
  private waiting = 0

  constructor(private readonly bounds: GateBounds) {}

  /** Lets all who wait through, in the order in which they came. */
  open(): void {
    this.opening.resolve(true)
  }

  /**
   * Resolves with `true` once the gate is open, and with `false` for callers beyond the limit or after too long a wait.
   */
  async pass(): Promise<boolean> {
    if (this.waiting >= this.bounds.waitingMax) return false
    this.waiting++
    let timer: Timer | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), this.bounds.waitMsMax)
    })
    const passes = await Promise.race([this.opening.promise, late])
    clearTimeout(timer)
    this.waiting--
    return passes
  }
}
