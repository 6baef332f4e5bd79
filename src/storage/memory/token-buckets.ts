import { randomBytes } from 'node:crypto'
import { type Budget, type BudgetStore, budgetsPerTakeMax } from '../../capture/budget-store.ts'
import type { Clock } from '../../lib/clock.ts'
import { BucketTable, type KeyHash, noSlot } from './bucket-table.ts'

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

/** The time in which one token is refilled. */
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
