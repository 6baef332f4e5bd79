import type { RefusalCount, RefusalLog, RefusalTotal } from './refusal-log.ts'

/** Where counts lie that the log has no room for. */
export interface RefusalReserve {
  /** Puts these counts in the place of those held before; as many of them as fit. Never throws. */
  hold(counts: RefusalCount[]): Promise<void>
  /** What is held, by this process or by one before it. */
  held(): RefusalCount[]
}

const msPerHour = 60 * 60 * 1000

/**
 * A refusal log that says also on a full disk how much was not stored for want of room: until the log takes counts again,
 * those of the check `storage` lie in the reserve, where other processes read them, and where they outlive the process.
 *
 * Guarantees those of `RefusalLog`; a process that is killed between the log and the reserve leaves them counted twice.
 */
export class ReservedRefusalLog implements RefusalLog {
  /** What a process before this one could not write. */
  private leftover: RefusalCount[] | null = null
  private isHolding = false

  constructor(
    private readonly log: RefusalLog,
    private readonly reserve: RefusalReserve,
  ) {}

  /** Whoever adds brings again what an earlier `add` was refused. */
  async add(counts: RefusalCount[]): Promise<void> {
    this.leftover ??= this.reserve.held()
    const all = [...this.leftover, ...counts]
    try {
      await this.log.add(all)
    } catch (error) {
      this.isHolding = true
      await this.reserve.hold(all.filter(({ check }) => check === 'storage'))
      throw error
    }
    if (this.isHolding || this.leftover.length > 0) await this.reserve.hold([])
    this.isHolding = false
    this.leftover = []
  }

  async read(accountId: string, since: number): Promise<RefusalTotal[]> {
    const totals = await this.log.read(accountId, since)
    const held = this.reserve
      .held()
      .filter((count) => count.accountId === accountId && count.hour >= Math.floor(since / msPerHour))
    if (held.length === 0) return totals
    const sums = new Map<string, RefusalTotal>()
    for (const { endpoint, check, origin, count } of [...totals, ...held]) {
      const key = `${endpoint} ${check} ${origin}`
      const sum = sums.get(key)?.count ?? 0
      sums.set(key, { endpoint, check, origin, count: sum + count })
    }
    return [...sums.values()].sort((one, other) => other.count - one.count)
  }
}
