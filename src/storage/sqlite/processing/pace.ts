/** Entries loaded together at most: more save nothing, and those behind the end of a step were loaded in vain. */
const batchMax = 256

/** Of what a step has taken, so much makes another batch in it worth its statements. */
const leastShare = 0.25

/** What one step changes of an estimate. It settles where half of the steps take longer, whatever one of them waited for. */
const change = 1.2

/** How many entries fit into a step, learned from the steps before. Times in milliseconds. */
export class Pace {
  /** For an entry in all, and of it for writing what it changes, which comes at a step's end. */
  private entryMs = 0.05
  private keepMs = 0.02

  /**
   * How many entries to load together in the time that is left, when so many wait to be written already. 0: so few that a
   * step of their own is better.
   */
  batch(leftMs: number, taken: number): number {
    const fitting = Math.floor((leftMs - this.keepTime(taken)) / this.entryMs)
    if (taken === 0) return Math.max(1, Math.min(fitting, batchMax))
    return fitting < taken * leastShare ? 0 : Math.min(fitting, batchMax)
  }

  /** How long it will take to write what so many entries change. */
  keepTime(taken: number): number {
    return taken * this.keepMs
  }

  /** @param foldMs until the step was folded; @param keepMs from there until it was written, without the commit */
  learn({ entries, foldMs, keepMs }: { entries: number; foldMs: number; keepMs: number }): void {
    this.entryMs = towards(this.entryMs, (foldMs + keepMs) / entries)
    this.keepMs = towards(this.keepMs, keepMs / entries)
  }
}

const towards = (estimate: number, latest: number): number =>
  latest > estimate ? estimate * change : estimate / change
