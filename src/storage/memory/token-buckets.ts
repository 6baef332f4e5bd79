import { randomBytes } from 'node:crypto'
import { type Budget, type BudgetStore, budgetsPerTakeMax } from '../../capture/budget-store.ts'
import type { Clock } from '../../lib/clock.ts'

/** Rounding errors of doubles, as a share of the budget: several roundings, each of 2^-53. */
const roundingShare = 2 ** -46

/**
 * The budgets of one process, in bounded memory however many callers come.
 *
 * If more callers are counted at once than the table holds, a new one replaces the bucket in its set that is nearest to
 * full, which then counts as full. An attacker gains nothing beyond what their addresses give them anyway: they need so
 * many that each brings a fresh budget; the hash has a random seed, so they cannot choose addresses of one set; and a
 * bucket they emptied is the last in its set to go. Two keys with one hash (2^-64) would share a budget.
 */
export class TokenBuckets implements BudgetStore {
  readonly table = new BucketTable()
  private readonly pending: PendingTake[] = Array.from({ length: budgetsPerTakeMax }, newPendingTake)
  private readonly hashHalves = new Uint32Array(2)
  private readonly hashWhole = new BigUint64Array(this.hashHalves.buffer)
  private readonly startedAtMs: number
  private lastReadingMs: number
  private steppedBackMs = 0

  constructor(
    private readonly clock: Clock,
    private readonly seed: bigint = randomBytes(8).readBigUInt64LE(),
  ) {
    this.startedAtMs = clock.monotonicMs()
    this.lastReadingMs = this.startedAtMs
  }

  async take(budgets: readonly Budget[]): Promise<number> {
    return this.takeNow(budgets)
  }

  /** `take`, at once: these budgets are this process's own. */
  takeNow(budgets: readonly Budget[]): number {
    if (budgets.length > budgetsPerTakeMax) throw new RangeError(`${budgets.length} budgets in one take`)
    const nowMs = this.nowMs()
    let retryAfterSeconds = 0
    let i = 0
    for (const budget of budgets) {
      const pending = this.pendingTake(i++)
      this.hash(budget.key, pending.hash)
      pending.usedTokens = this.usedTokens(pending.hash, budget, nowMs)
      retryAfterSeconds = Math.max(retryAfterSeconds, secondsUntilToken(pending.usedTokens, budget))
    }
    if (retryAfterSeconds > 0) return retryAfterSeconds
    i = 0
    for (const budget of budgets) this.store(this.pendingTake(i++), budget, nowMs)
    return 0
  }

  /**
   * Whole milliseconds since the start, so that intervals stay exact for the life of a process. If the clock steps
   * back, time stands still for that instant and continues from there.
   */
  private nowMs(): number {
    const readingMs = this.clock.monotonicMs()
    if (readingMs < this.lastReadingMs) this.steppedBackMs += this.lastReadingMs - readingMs
    this.lastReadingMs = readingMs
    return Math.round(readingMs - this.startedAtMs + this.steppedBackMs)
  }

  private pendingTake(i: number): PendingTake {
    return this.pending[i] ?? newPendingTake()
  }

  private hash(key: string, into: KeyHash): void {
    this.hashWhole[0] = BigInt(Bun.hash(key, this.seed))
    into.low = this.hashHalves[0] ?? 0
    into.high = this.hashHalves[1] ?? 0
  }

  private usedTokens(hash: KeyHash, budget: Budget, nowMs: number): number {
    const slot = this.table.find(hash)
    if (slot === noSlot) return 0
    const debtMs = this.table.debtMs(slot) - (nowMs - this.table.takenAtMs(slot))
    return debtMs <= 0 ? 0 : nearWhole(debtMs / tokenMs(budget), roundingTokens(budget))
  }

  /** Looks the slot up again: the previous take may have moved or replaced it. */
  private store({ hash, usedTokens }: PendingTake, budget: Budget, nowMs: number): void {
    this.table.write(this.table.claim(hash, nowMs), nowMs, (usedTokens + 1) * tokenMs(budget))
  }
}

/** What a take found in one budget, before it is known whether all of them have a token. */
interface PendingTake {
  hash: KeyHash
  usedTokens: number
}

const newPendingTake = (): PendingTake => ({ hash: { low: 0, high: 0 }, usedTokens: 0 })

const tokenMs = (budget: Budget): number => (budget.windowSeconds * 1000) / budget.tokensMax

function secondsUntilToken(usedTokens: number, budget: Budget): number {
  const missingTokens = usedTokens + 1 - budget.tokensMax
  if (missingTokens <= 0) return 0
  return Math.max(1, Math.ceil(((missingTokens - roundingTokens(budget) / 2) * tokenMs(budget)) / 1000))
}

/**
 * Tokens this near to a whole number count as that number, so that rounding neither adds up nor costs a caller a
 * second.
 */
function nearWhole(tokens: number, tolerance: number): number {
  const whole = Math.round(tokens)
  return Math.abs(tokens - whole) < tolerance ? whole : tokens
}

const roundingTokens = (budget: Budget): number => budget.tokensMax * roundingShare

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
const noSlot: Slot = -1

interface KeyHash {
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
class BucketTable {
  private readonly hashes = new Uint32Array(setsMax * waysPerSet * 2)
  private readonly times = new Float64Array(setsMax * waysPerSet * 2)
  private setCount = setsAtStart
  /** The number of sets when the present round of splits began. */
  private roundSets = setsAtStart
  private liveWaysAverage = 0

  readonly bytesReserved = this.hashes.byteLength + this.times.byteLength

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
