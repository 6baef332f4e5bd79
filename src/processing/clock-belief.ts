/** What the clocks of the machine said at one moment. */
export interface ClockReading {
  /** Epoch milliseconds, as records are stamped with. */
  at: number
  /** Which start of the machine it was, and how long that had been running, sleep included; `null`: not known here. */
  bootId: string | null
  uptimeMs: number | null
}

/** How a reading follows from the last one that was believed. */
export interface ClockBelief {
  isBelieved: boolean
  /** What the clock should show, epoch milliseconds. */
  expectedAt: number
  /** Whether that is so, or only the least: the machine was started again meanwhile, and may have been off for long. */
  isExact: boolean
}

const dayMs = 86_400_000
/** More than a step of a time server or a wrong time zone, and far less than any term. */
const errorMsMax = dayMs
/** How long a machine may have been off before its clock is asked about. */
const offMsMax = 7 * dayMs

/**
 * Whether a clock can be right. Within one start of the machine its uptime says how much time has passed. Between two
 * starts nothing does: a machine that was off for a week is believed, one that was off for longer looks like a wrong clock.
 */
export function believe(last: ClockReading, now: ClockReading): ClockBelief {
  const passedMs = uptimeBetween(last, now)
  const expectedAt = last.at + (passedMs ?? 0)
  const leadMs = now.at - expectedAt
  const leadMsMax = passedMs === null ? offMsMax : errorMsMax
  return { isBelieved: leadMs >= -errorMsMax && leadMs <= leadMsMax, expectedAt, isExact: passedMs !== null }
}

/** `null`: not known. A container may count its own uptime under the boot id of its host: then that goes back. */
function uptimeBetween(last: ClockReading, now: ClockReading): number | null {
  if (now.bootId === null || now.bootId !== last.bootId) return null
  if (now.uptimeMs === null || last.uptimeMs === null || now.uptimeMs < last.uptimeMs) return null
  return now.uptimeMs - last.uptimeMs
}
