const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Minutes between two orders of a name that fail, as certmagic waits: 24 tries in the first day and a half, then four a day. */
const retryMinutes = [
  ...[1, 2, 2, 5, 10, 10, 10, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30],
  ...[60, 60, 60, 120, 120, 180, 180, 360],
] as const
/** A name that has failed for this long is given up until its DNS changes or an operator asks. */
const retryMsMax = 30 * dayMs

/**
 * The wait after the given number of failures; `null`: give up.
 *
 * @param failingForMs time since the first failure
 */
export function retryDelayMs(failures: number, failingForMs: number): number | null {
  if (failingForMs >= retryMsMax) return null
  return (retryMinutes[Math.max(0, failures - 1)] ?? retryMinutes[retryMinutes.length - 1] ?? 0) * minuteMs
}

/** How often to check from outside: often while somebody is probably editing the DNS, and without end. */
const looks = [
  { upTo: hourMs, everyMs: 30_000 },
  { upTo: dayMs, everyMs: minuteMs },
  { upTo: 7 * dayMs, everyMs: 5 * minuteMs },
  { upTo: Number.POSITIVE_INFINITY, everyMs: 30 * minuteMs },
]

/** The wait before the next check, after the given number of checks without a change. */
export function lookDelayMs(unchangedLooks: number): number {
  let left = unchangedLooks
  let before = 0
  for (const { upTo, everyMs } of looks) {
    const many = (upTo - before) / everyMs
    if (left < many) return everyMs
    left -= many
    before = upTo
  }
  return hourMs
}
