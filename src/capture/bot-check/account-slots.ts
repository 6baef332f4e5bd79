/** How much of one kind of work is under way, such as questions to bot-check providers, and how much waits. */
export interface SlotLimits {
  /** Under way for one account: one whose provider is slow does not hold up the others. */
  runningPerAccountMax: number
  waitingPerAccountMax: number
  /** Under way for all accounts. */
  runningMax: number
}

export const defaultSlotLimits: SlotLimits = { runningPerAccountMax: 16, waitingPerAccountMax: 64, runningMax: 256 }

interface Line {
  running: number
  waiting: (() => void)[]
}

/** Bounds what runs at the same time, by account and in all. */
export class AccountSlots {
  /** Accounts with a call under way: never more than `runningMax`. */
  private readonly lines = new Map<string, Line>()
  private running = 0

  constructor(private readonly limits: SlotLimits) {}

  /** Runs the task when its account has room for it, which may be at once; `null`: too many are waiting already. */
  async run<T>(accountId: string, task: () => Promise<T>): Promise<T | null> {
    const line = this.lines.get(accountId) ?? { running: 0, waiting: [] }
    if (line.running < this.limits.runningPerAccountMax) {
      if (this.running >= this.limits.runningMax) return null
      line.running++
      this.running++
      this.lines.set(accountId, line)
    } else {
      if (line.waiting.length >= this.limits.waitingPerAccountMax) return null
      await new Promise<void>((resolve) => line.waiting.push(resolve))
    }
    try {
      return await task()
    } finally {
      this.handOn(accountId, line)
    }
  }

  /** The slot goes to whoever waits longest, or is given back. */
  private handOn(accountId: string, line: Line): void {
    const next = line.waiting.shift()
    if (next !== undefined) {
      next()
      return
    }
    line.running--
    this.running--
    if (line.running === 0) this.lines.delete(accountId)
  }
}
