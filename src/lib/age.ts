const dayMs = 86_400_000
const yearMs = 365.25 * dayMs

/** `m` is minutes and `mo` months; a month is a twelfth of a year of 365.25 days. */
const unitMs: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: dayMs,
  w: 7 * dayMs,
  mo: yearMs / 12,
  y: yearMs,
}

const ageMsMax = 1000 * yearMs

/**
 * The length of an age such as `30d`, `12h`, `13mo` in milliseconds; `null`: not an age, zero, or above a thousand
 * years.
 */
export function parseAge(text: string): number | null {
  const match = /^(\d{1,9})(s|mo|m|h|d|w|y)$/.exec(text.trim())
  const unit = unitMs[match?.[2] ?? '']
  if (match === null || unit === undefined) return null
  const ms = Math.round(Number(match[1]) * unit)
  return ms > 0 && ms <= ageMsMax ? ms : null
}

/**
 * The instant that `T` names: ISO 8601, in UTC unless stated otherwise, or an age before `now`.
 */
export function parseInstant(text: string, now: number): number | null {
  const age = parseAge(text)
  return age === null ? parseIso(text.trim()) : now - age
}

/** Date.UTC maps smaller years to the twentieth century. */
const yearMin = 100

const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d))?)?$/

function parseIso(text: string): number | null {
  const match = isoPattern.exec(text)
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const [offsetHours = 0, offsetMinutes = 0] = match.slice(10, 12).map((part) => Number(part ?? 0))
  if (year < yearMin || hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return null
  const milliseconds = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000)
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
  // Date.UTC rolls 30 February over into March.
  if (new Date(local).getUTCDate() !== day || new Date(local).getUTCMonth() !== month - 1) return null
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000
  return match[9] === '-' ? local + offsetMs : local - offsetMs
}
