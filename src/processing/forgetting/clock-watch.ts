import { believe, type ClockBelief, type ClockReading } from '../clock-belief.ts'
import type { ClockStore } from './retention-store.ts'

/** The clock, judged by the last believed reading. Only `keep` and `trust` write. Instants are epoch milliseconds. */
export class ClockWatch {
  constructor(private readonly store: ClockStore) {}

  look(now: number): ClockBelief {
    return this.beliefIn(this.last(), now)
  }

  /**
   * Stores a believed reading; for one that is not believed, the time according to the uptime, if known. The evidence
   * against a clock that is ahead is kept too: it may be the only one, and the next records carry that clock's time.
   */
  keep(now: number): ClockBelief {
    // Read beforehand: a transaction that has met a damaged page is never committed.
    const before = this.last()
    const keep = () => {
      const last = this.store.seenClock() ?? before
      const belief = this.beliefIn(last, now)
      if (belief.isBelieved) this.store.saveClock(this.store.readClock(now))
      else if (belief.isExact) this.store.saveClock({ ...this.store.readClock(now), at: belief.expectedAt })
      else if (last !== null && now > last.at) this.store.saveClock(last)
      return belief
    }
    // Between reading and writing, the operator may accept the clock.
    return this.store.exclusively(keep)
  }

  /** The operator accepted the clock. */
  trust(now: number): void {
    this.store.exclusively(() => {
      this.store.saveClock(this.store.readClock(now))
      this.store.forgetPasses()
    })
  }

  private last(): ClockReading | null {
    const seen = this.store.seenClock()
    if (seen !== null) return seen
    const at = this.store.latestTrace()
    return at === null ? null : { at, bootId: null, uptimeMs: null }
  }

  private beliefIn(last: ClockReading | null, now: number): ClockBelief {
    if (last === null) return { isBelieved: true, expectedAt: now, isExact: false }
    return believe(last, this.store.readClock(now))
  }
}
