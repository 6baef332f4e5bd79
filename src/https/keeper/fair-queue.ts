export interface Queued {
  host: string
  /** The account that owns the name. */
  accountId: string
  /** Lower numbers go first. */
  priority: number
}

interface FairQueueOptions {
  atOnceMax: number
  /** Limits one account's concurrent items, so that its slow names leave room for others. */
  atOnceOfOneMax: number
  /** The minimum time between two starts. */
  spacingMs: number
}

/**
 * A queue with one item per host. Among items with the lowest priority number, the account served longest ago goes first, so
 * that two hundred names of one account delay another's by only one turn.
 */
export class FairQueue<T extends Queued> {
  private readonly waiting = new Map<string, T>()
  private readonly running = new Map<string, T>()
  private readonly servedAt = new Map<string, number>()
  private served = 0
  private beganAtMs = Number.NEGATIVE_INFINITY

  constructor(private readonly options: FairQueueOptions) {}

  /** Whether the host is waiting or being served. */
  has(host: string): boolean {
    return this.waiting.has(host) || this.running.has(host)
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0 && this.running.size === 0
  }

  add(item: T): void {
    if (!this.running.has(item.host)) this.waiting.set(item.host, item)
  }

  /**
   * Takes the next item, which is being served until `done`; `null`: none may start yet.
   *
   * @param nowMs monotonic
   * @param mayBegin if it returns `false`, the item leaves the queue and the next one is considered
   */
  take(nowMs: number, mayBegin: (item: T) => boolean = () => true): T | null {
    const { atOnceMax, spacingMs } = this.options
    while (this.running.size < atOnceMax && nowMs - this.beganAtMs >= spacingMs) {
      const item = this.first()
      if (item === null) return null
      this.waiting.delete(item.host)
      if (!mayBegin(item)) continue
      this.running.set(item.host, item)
      this.servedAt.set(item.accountId, ++this.served)
      this.beganAtMs = nowMs
      return item
    }
    return null
  }

  done(host: string): void {
    this.running.delete(host)
  }

  drop(host: string): void {
    this.waiting.delete(host)
  }

  private first(): T | null {
    let first: T | null = null
    const underWay = Map.groupBy(this.running.values(), ({ accountId }) => accountId)
    for (const item of this.waiting.values()) {
      if ((underWay.get(item.accountId)?.length ?? 0) >= this.options.atOnceOfOneMax) continue
      if (first === null || this.goesBefore(item, first)) first = item
    }
    return first
  }

  private goesBefore(one: T, other: T): boolean {
    if (one.priority !== other.priority) return one.priority < other.priority
    return (this.servedAt.get(one.accountId) ?? 0) < (this.servedAt.get(other.accountId) ?? 0)
  }
}
