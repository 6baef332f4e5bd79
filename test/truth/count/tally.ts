/** Counts by name; what was never counted is 0. */
export class Tally {
  private readonly counts = new Map<string, number>()

  static of(names: Iterable<string>): Tally {
    const tally = new Tally()
    for (const name of names) tally.counts.set(name, tally.of(name) + 1)
    return tally
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0
  }

  /** Without order. */
  asObject(): Record<string, number> {
    return Object.fromEntries(this.counts)
  }
}
