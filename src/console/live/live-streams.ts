/** Limits for the whole console and for one user. A hidden tab closes its stream. */
const streamsMax = 50
const streamsOfUserMax = 8

/** Limits the number of open streams. */
export class LiveStreams {
  private readonly byUser = new Map<string, number>()

  /** @returns a function to call when the stream has ended; `null`: too many streams are open */
  begin(userId: string): (() => void) | null {
    const ofUser = this.byUser.get(userId) ?? 0
    const all = this.byUser.values().reduce((sum, count) => sum + count, 0)
    if (ofUser >= streamsOfUserMax || all >= streamsMax) return null
    this.byUser.set(userId, ofUser + 1)
    let isOpen = true
    return () => {
      if (isOpen) this.end(userId)
      isOpen = false
    }
  }

  private end(userId: string): void {
    const left = (this.byUser.get(userId) ?? 1) - 1
    if (left === 0) this.byUser.delete(userId)
    else this.byUser.set(userId, left)
  }
}
