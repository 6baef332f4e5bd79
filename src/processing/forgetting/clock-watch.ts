/** The machine's clocks at one moment. */
export interface ClockReading {
  /** Epoch milliseconds, the clock that stamps records. */
  at: number
  /** The boot and how long ago it was, including sleep; `null`: not known on this system. */
  bootId: string | null
  uptimeMs: number | null
}

/** What follows from the last believed reading. */
export interface ClockBelief {
  isBelieved: boolean
  /** What the clock should show, epoch milliseconds. */
  expectedAt: number
  /**
   * `false`: the clock should show at least this. The machine was restarted in between and may have been off for long.
   */
  isExact: boolean
}

const dayMs = 86_400_000
/** More than a time server's correction or a wrong time zone, and far less than any retention period. */
const errorMsMax = dayMs
/** How long a machine may have been off before its clock is questioned. */
const offMsMax = 7 * dayMs

/**
 * Whether a clock can be right. Within one boot, the uptime says how much time has passed. Across boots nothing does: a
 * machine that was off for a week is believed, one that was off for longer looks like a wrong clock.
 */
export function believe(last: ClockReading, now: ClockReading): ClockBelief {
  const passedMs = uptimeBetween(last, now)
  const expectedAt = last.at + (passedMs ?? 0)
  const leadMs = now.at - expectedAt
  const leadMsMax = passedMs === null ? offMsMax : errorMsMax
  return { isBelieved: leadMs >= -errorMsMax && leadMs <= leadMsMax, expectedAt, isExact: passedMs !== null }
}

/** `null`: not known. A container may count its own uptime under its host's boot id, so that it goes back. */
function uptimeBetween(last: ClockReading, now: ClockReading): number | null {
  if (now.bootId === null || now.bootId !== last.bootId) return null
  if (now.uptimeMs === null || last.uptimeMs === null || now.uptimeMs < last.uptimeMs) return null
  return now.uptimeMs - last.uptimeMs
}

/** What the box knows and keeps of the clock. */
export interface ClockStore {
  /** The clocks, as far as the machine has them. */
  readClock(now: number): ClockReading
  /** The last reading that was believed; `null`: no service has run yet. */
  seenClock(): ClockReading | null
  saveClock(reading: ClockReading): void
  /** The latest time that the box itself has stored, epoch milliseconds; `null`: nothing yet. */
  latestTrace(): number | null
  /** Runs `work` while nobody else writes; storage keeps all of it or nothing. */
  exclusively<Result>(work: () => Result): Result
  /** Forgets all passes: what a clock makes due that an operator accepted is examined as if there had been none. */
  forgetPasses(): void
}

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
