import type { Interval } from '../persons/intervals.ts'

/** When devices recorded what is erased: single moments, and the times in which they were the erased person's. */
export class ErasedTimes {
  private readonly moments = new Map<number, Set<number>>()
  private readonly intervals: ReadonlyMap<number, readonly Interval[]>

  /** Of each device in their order. */
  constructor(intervals: readonly Interval[]) {
    this.intervals = Map.groupBy(intervals, ({ deviceRow }) => deviceRow)
  }

  /** @param at Epoch milliseconds. */
  add(deviceRow: number, at: number): void {
    const known = this.moments.get(deviceRow)
    if (known === undefined) this.moments.set(deviceRow, new Set([at]))
    else known.add(at)
  }

  get deviceRows(): number[] {
    return [...new Set([...this.moments.keys(), ...this.intervals.keys()])]
  }

  /** Whether a touch at that time (ISO 8601; `null`: there is none) was told by what is erased. */
  has(deviceRow: number, at: string | null): boolean {
    if (at === null) return false
    const atMs = Date.parse(at)
    return this.moments.get(deviceRow)?.has(atMs) === true || this.isWithin(deviceRow, atMs)
  }

  private isWithin(deviceRow: number, atMs: number): boolean {
    const interval = latestFrom(this.intervals.get(deviceRow) ?? [], atMs)
    return interval !== undefined && (interval.until === null || atMs < interval.until.at)
  }
}

/** The last one that has begun by then: there may be as many as there are touches to look up. */
function latestFrom(intervals: readonly Interval[], atMs: number): Interval | undefined {
  let low = 0
  let high = intervals.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((intervals[middle]?.from?.at ?? -1) <= atMs) low = middle + 1
    else high = middle
  }
  return intervals[low - 1]
}
