/** Entries read together at most: more save nothing, and those beyond the end of a step are read in vain. */
const batchMax = 256

/** Another batch is worth its statements if it is at least this share of what the step has taken. */
const leastShare = 0.25

/**
 * How much one step changes an estimate. It settles where half of the steps take longer; a single long wait hardly
 * counts.
 */
const change = 1.2

/** How many entries fit into a step, learned from earlier steps. Times in milliseconds. */
export class Pace {
  /** The time for an entry in total, and its share for writing changes at the step's end. */
  private entryMs = 0.05
  private keepMs = 0.02

  /**
   * How many entries to read together in the time left, given how many already wait to be written. 0: too few, so end
   * the step.
   */
  batch(leftMs: number, taken: number): number {
    const fitting = Math.floor((leftMs - this.keepTime(taken)) / this.entryMs)
    if (taken === 0) return Math.max(1, Math.min(fitting, batchMax))
    return fitting < taken * leastShare ? 0 : Math.min(fitting, batchMax)
  }

  /** How long writing the changes of so many entries will take. */
  keepTime(taken: number): number {
    return taken * this.keepMs
  }

  /**
   * @param foldMs until the step was folded
   * @param keepMs from then until it was written, without the commit
   */
  learn({ entries, foldMs, keepMs }: { entries: number; foldMs: number; keepMs: number }): void {
    this.entryMs = towards(this.entryMs, (foldMs + keepMs) / entries)
    this.keepMs = towards(this.keepMs, keepMs / entries)
  }
}

const towards = (estimate: number, latest: number): number =>
  latest > estimate ? estimate * change : estimate / change
