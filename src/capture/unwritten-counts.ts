/**
 * Counts held in memory and written in batches, so that a flood of what is counted does not load the disk. Unwritten ones are
 * lost when the process is killed: they are hints for an operator, not records.
 */
export class UnwrittenCounts<Count extends { count: number }> {
  private counters = new Map<string, Count>()

  /** @param countersMax for the whole box; what would need one more is not counted */
  constructor(
    private readonly countersMax: number,
    private readonly write: (counts: Count[]) => Promise<void>,
  ) {}

  add(key: string, count: Count): void {
    const counter = this.counters.get(key)
    if (counter !== undefined) counter.count += count.count
    else if (this.counters.size < this.countersMax) this.counters.set(key, count)
  }

  /** When writing fails, the counts stay for the next time. */
  async flush(): Promise<void> {
    if (this.counters.size === 0) return
    const taken = this.counters
    this.counters = new Map()
    try {
      await this.write([...taken.values()])
    } catch {
      for (const [key, count] of taken) this.add(key, count)
    }
  }
}
