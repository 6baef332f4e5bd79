const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Minutes between two orders of a name that fail, as certmagic waits: 24 tries in the first day and a half, then four a day. */
const retryMinutes = [
  ...[1, 2, 2, 5, 10, 10, 10, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30],
  ...[60, 60, 60, 120, 120, 180, 180, 360],
] as const
/** A name that has failed for so long is left alone until its DNS changes, or somebody asks for a try. */
const retryMsMax = 30 * dayMs

/**
 * How long to wait after the latest of so many failures; `null`: it has failed for too long to go on.
 *
 * @param failingForMs since the first of them
 */
export function retryDelayMs(failures: number, failingForMs: number): number | null {
  if (failingForMs >= retryMsMax) return null
  return (retryMinutes[Math.max(0, failures - 1)] ?? retryMinutes[retryMinutes.length - 1] ?? 0) * minuteMs
}

/** How often the world is looked at: often while somebody is likely to be at work on the DNS, and for ever. */
const looks = [
  { upTo: hourMs, everyMs: 30_000 },
  { upTo: dayMs, everyMs: minuteMs },
  { upTo: 7 * dayMs, everyMs: 5 * minuteMs },
  { upTo: Number.POSITIVE_INFINITY, everyMs: 30 * minuteMs },
]

/** How long to wait for the next look at a name that has been looked at so often without a change. */
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
