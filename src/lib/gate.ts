/** How many may wait before a gate that is closed, and how long. */
interface GateBounds {
  waitingMax: number
  waitMsMax: number
}

/** Those who come early wait here until it opens, once and for good. */
export class Gate {
  private readonly opening = Promise.withResolvers<true>()
  private waiting = 0

  constructor(private readonly bounds: GateBounds) {}

  /** Lets everybody in who waits, in the order in which they came. */
  open(): void {
    this.opening.resolve(true)
  }

  /** Resolves with `true` once it is open; with `false` for one too many, and for whoever has waited too long. */
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
