import { partitionPoint } from '../../../lib/partition-point.ts'
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

  /** Whether what happened at that time (ISO 8601, or epoch milliseconds; `null`: nothing did) is erased. */
  has(deviceRow: number, at: string | number | null): boolean {
    if (at === null) return false
    const atMs = typeof at === 'number' ? at : Date.parse(at)
    return this.moments.get(deviceRow)?.has(atMs) === true || this.isWithin(deviceRow, atMs)
  }

  /** Whether the device was the erased person's from its beginning up to then (epoch milliseconds). */
  hasAllUpTo(deviceRow: number, at: number): boolean {
    const [first] = this.intervals.get(deviceRow) ?? []
    return first !== undefined && first.from === null && (first.until === null || at < first.until.at)
  }

  private isWithin(deviceRow: number, atMs: number): boolean {
    const interval = latestFrom(this.intervals.get(deviceRow) ?? [], atMs)
    return interval !== undefined && (interval.until === null || atMs < interval.until.at)
  }
}

/** The last one that has begun by then: there may be as many as there are touches to look up. */
const latestFrom = (intervals: readonly Interval[], atMs: number): Interval | undefined =>
  intervals[partitionPoint(intervals, ({ from }) => (from?.at ?? -1) <= atMs) - 1]
