/** Limits on running and waiting tasks of one kind, such as requests to bot-check providers. */
export interface SlotLimits {
  /** Running for one account: a slow provider must not block other accounts. */
  runningPerAccountMax: number
  waitingPerAccountMax: number
  /** Running for all accounts. */
  runningMax: number
}

export const defaultSlotLimits: SlotLimits = { runningPerAccountMax: 16, waitingPerAccountMax: 64, runningMax: 256 }

interface Line {
  running: number
  waiting: (() => void)[]
}

/** Limits concurrent tasks per account and in total, and serves waiting accounts in turn. */
export class AccountSlots {
  /** Accounts with a task that runs or waits, in the order of their turns. */
  private readonly lines = new Map<string, Line>()
  private running = 0

  constructor(private readonly limits: SlotLimits) {}

  /** Runs the task as soon as there is a free slot; `null`: too many tasks of its account are already waiting. */
  async run<T>(accountId: string, task: () => Promise<T>): Promise<T | null> {
    const line = this.lines.get(accountId) ?? { running: 0, waiting: [] }
    if (this.hasRoom(line)) this.occupy(accountId, line)
    else {
      if (line.waiting.length >= this.limits.waitingPerAccountMax) return null
      this.lines.set(accountId, line)
      await new Promise<void>((resolve) => line.waiting.push(resolve))
    }
    try {
      return await task()
    } finally {
      this.handOn(accountId, line)
    }
  }

  private hasRoom({ running }: Line): boolean {
    return running < this.limits.runningPerAccountMax && this.running < this.limits.runningMax
  }

  private occupy(accountId: string, line: Line): void {
    line.running++
    this.running++
    // Move the account to the end of the queue.
    this.lines.delete(accountId)
    this.lines.set(accountId, line)
  }

  /** Gives the slot to the longest waiting task of the next account, or frees it. */
  private handOn(accountId: string, line: Line): void {
    line.running--
    this.running--
    if (line.running === 0 && line.waiting.length === 0) this.lines.delete(accountId)
    for (const [nextId, nextLine] of this.lines) {
      const next = this.hasRoom(nextLine) ? nextLine.waiting.shift() : undefined
      if (next === undefined) continue
      this.occupy(nextId, nextLine)
      next()
      return
    }
  }
}
