import { within } from './server-process.ts'

/** What somebody says, piece by piece, and those who wait for something in it. */
export class GrowingList<Item> {
  readonly items: Item[] = []
  private isOver = false
  private grown = Promise.withResolvers<void>()

  add(item: Item): void {
    this.items.push(item)
    this.wake()
  }

  /** Nothing more comes. */
  end(): void {
    this.isOver = true
    this.wake()
  }

  /** Looks again with each piece; answers what was found. @throws when nothing more comes, or nothing does in time */
  async find<Found>(what: string, msMax: number, look: (items: readonly Item[]) => Found | null): Promise<Found> {
    const deadline = performance.now() + msMax
    for (;;) {
      const { grown, isOver } = this
      const found = look(this.items)
      if (found !== null) return found
      if (isOver) throw new Error(`${what} did not come`)
      await within(Math.max(0, deadline - performance.now()), what, grown.promise)
    }
  }

  private wake(): void {
    const { grown } = this
    this.grown = Promise.withResolvers()
    grown.resolve()
  }
}
