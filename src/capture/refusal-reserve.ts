import type { RefusalCount, RefusalLog, RefusalTotal } from './refusal-log.ts'

/** Keeps counts that the log has no room for. */
export interface RefusalReserve {
  /** Replaces the reserved counts, largest first, as far as they fit. Never throws. */
  replace(counts: RefusalCount[]): Promise<void>
  /** The counts that this process or an earlier one reserved. */
  counts(): RefusalCount[]
}

const msPerHour = 60 * 60 * 1000

/**
 * A refusal log that reports records lost to a full disk while the disk is still full. Until the log accepts writes again,
 * counts of the check `storage` stay in the reserve, where other processes read them and where they survive a restart.
 *
 * Same guarantees as `RefusalLog`, except that a process killed between writing the log and clearing the reserve leaves
 * those counts doubled.
 */
export class ReservedRefusalLog implements RefusalLog {
  /** Counts that an earlier process could not write. */
  private leftover: RefusalCount[] | null = null
  private isReserveUsed = false

  constructor(
    private readonly log: RefusalLog,
    private readonly reserve: RefusalReserve,
  ) {}

  /** After a rejected `add`, the caller passes the same counts again. */
  async add(counts: RefusalCount[]): Promise<void> {
    this.leftover ??= this.reserve.counts()
    const all = [...this.leftover, ...counts]
    try {
      await this.log.add(all)
    } catch (error) {
      this.isReserveUsed = true
      await this.reserve.replace(all.filter(({ check }) => check === 'storage'))
      throw error
    }
    if (this.isReserveUsed || this.leftover.length > 0) await this.reserve.replace([])
    this.isReserveUsed = false
    this.leftover = []
  }

  async read(accountId: string, since: number): Promise<RefusalTotal[]> {
    const totals = await this.log.read(accountId, since)
    const reserved = this.reserve
      .counts()
      .filter((count) => count.accountId === accountId && count.hour >= Math.floor(since / msPerHour))
    if (reserved.length === 0) return totals
    const sums = new Map<string, RefusalTotal>()
    for (const { endpoint, check, origin, count } of [...totals, ...reserved]) {
      const key = `${endpoint} ${check} ${origin}`
      const sum = sums.get(key)?.count ?? 0
      sums.set(key, { endpoint, check, origin, count: sum + count })
    }
    return [...sums.values()].sort((one, other) => other.count - one.count)
  }
}
