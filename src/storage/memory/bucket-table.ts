/** Slots of one set: each key is in one of them. Their hashes fill two cache lines. */
const waysPerSet = 12

const setsAtStart = 512

/** 1.5 million slots of 24 bytes: 37.7 MB. A power of two, so that at the limit all sets get equal shares. */
const setsMax = 2 ** 17

/** The table grows while sets hold more live buckets than this on average; few sets then overflow. */
const liveWaysWanted = 4.5

const setsPerGrowth = 2

/** The number of new keys over which that average is taken, each a random sample of the sets. */
const samplesPerAverage = 128

/** A slot of the table; `noSlot` if a key has none. */
type Slot = number
export const noSlot: Slot = -1

/** A key's 64-bit hash. */
export interface KeyHash {
  low: number
  high: number
}

/**
 * A set-associative table of token buckets by the hash of their keys, at most `bytesReserved` large.
 *
 * A bucket stores when it was last taken from, and how long from then until it is full again; a full bucket is a free
 * slot. The arrays are reserved at once and zero; the system backs them with memory only where they are touched. The
 * table therefore uses their beginning and grows by linear hashing, set by set, as live buckets crowd it: no pause to
 * rehash, no second copy, and a site with few callers stays small.
 */
export class BucketTable {
  private readonly hashes = new Uint32Array(setsMax * waysPerSet * 2)
  private readonly times = new Float64Array(setsMax * waysPerSet * 2)
  private setCount = setsAtStart
  /** The number of sets when the present round of splits began. */
  private roundSets = setsAtStart
  private liveWaysAverage = 0

  readonly bytesReserved = this.hashes.byteLength + this.times.byteLength

  /** Bytes in use. */
  get bytesInUse(): number {
    return (this.bytesReserved / setsMax) * this.setCount
  }

  find(hash: KeyHash): Slot {
    const first = this.setOf(hash.low) * waysPerSet
    for (let slot = first; slot < first + waysPerSet; slot++) {
      if (this.hashes[slot * 2] === hash.low && this.hashes[slot * 2 + 1] === hash.high) return slot
    }
    return noSlot
  }

  /** The key's slot; if it has none, a free one, or that of the bucket in its set that is nearest to full. */
  claim(hash: KeyHash, nowMs: number): Slot {
    const own = this.find(hash)
    if (own !== noSlot) return own
    this.liveWaysAverage += (this.liveWays(hash.low, nowMs) - this.liveWaysAverage) / samplesPerAverage
    if (this.liveWaysAverage > liveWaysWanted) this.grow()
    const slot = this.nearestToFull(hash.low)
    this.hashes[slot * 2] = hash.low
    this.hashes[slot * 2 + 1] = hash.high
    return slot
  }

  takenAtMs(slot: Slot): number {
    return this.times[slot * 2] ?? 0
  }

  /** How long from `takenAtMs` until the bucket is full again. */
  debtMs(slot: Slot): number {
    return this.times[slot * 2 + 1] ?? 0
  }

  write(slot: Slot, takenAtMs: number, debtMs: number): void {
    this.times[slot * 2] = takenAtMs
    this.times[slot * 2 + 1] = debtMs
  }

  /** Linear hashing: sets that this round has split use one more bit of the hash. */
  private setOf(low: number): number {
    const set = low & (this.roundSets * 2 - 1)
    return set < this.setCount ? set : low & (this.roundSets - 1)
  }

  private fullAtMs(slot: Slot): number {
    return this.takenAtMs(slot) + this.debtMs(slot)
  }

  private liveWays(low: number, nowMs: number): number {
    const first = this.setOf(low) * waysPerSet
    let live = 0
    for (let slot = first; slot < first + waysPerSet; slot++) if (this.fullAtMs(slot) > nowMs) live++
    return live
  }

  private nearestToFull(low: number): Slot {
    const first = this.setOf(low) * waysPerSet
    let best = first
    for (let slot = first + 1; slot < first + waysPerSet; slot++) {
      if (this.fullAtMs(slot) < this.fullAtMs(best)) best = slot
    }
    return best
  }

  private grow(): void {
    for (let i = 0; i < setsPerGrowth && this.setCount < setsMax; i++) this.splitNextSet()
  }

  /** Moves the half of a set that belongs to the new set, way by way. */
  private splitNextSet(): void {
    if (this.setCount === this.roundSets * 2) this.roundSets *= 2
    const to = this.setCount++
    const from = to - this.roundSets
    for (let way = 0; way < waysPerSet; way++) {
      const slot = from * waysPerSet + way
      if (this.setOf(this.hashes[slot * 2] ?? 0) === to) this.move(slot, to * waysPerSet + way)
    }
  }

  private move(from: Slot, to: Slot): void {
    this.hashes.copyWithin(to * 2, from * 2, from * 2 + 2)
    this.times.copyWithin(to * 2, from * 2, from * 2 + 2)
    this.hashes.fill(0, from * 2, from * 2 + 2)
    this.times.fill(0, from * 2, from * 2 + 2)
  }
}
