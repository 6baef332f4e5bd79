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
  /** `false`: the clock should show at least this. The machine was restarted in between and may have been off for long. */
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
