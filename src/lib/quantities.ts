const kilobyte = 1024
const sizeUnits = ['KB', 'MB', 'GB', 'TB'] as const

/**
 * `1234567` → `1,234,567`; a whole number. Formats by hand: loading the runtime's locale data takes longer than a whole
 * report.
 */
export function count(number: number): string {
  let text = String(number)
  for (let at = text.length - 3; at > Number(number < 0); at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`
  return text
}

/** `1, 'row'` → `1 row`; `3, 'entry', 'entries'` → `3 entries`. */
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`

/** `8192` → `8 KB`, where a KB is 1,024 bytes as in the account's payload limit. */
export function byteSize(bytes: number): string {
  let value = bytes
  let unit: string | undefined
  for (const next of sizeUnits) {
    // 1023.95 would be rounded to 1024.0.
    if (value < kilobyte - 0.05) break
    value /= kilobyte
    unit = next
  }
  return unit === undefined ? plural(bytes, 'byte') : `${Number(value.toFixed(1))} ${unit}`
}

/** An instant in UTC to the second: `2026-11-20 14:03:22 UTC`. */
export const timestamp = (epochMs: number): string =>
  `${new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`

const ageUnits = [
  { ms: 86_400_000, name: 'day' },
  { ms: 3_600_000, name: 'hour' },
  { ms: 60_000, name: 'minute' },
] as const

/** A length of time in its largest whole unit: `26 hours` is `1 day`; less than a minute is in seconds. */
export function age(ms: number): string {
  const unit = ageUnits.find((unit) => ms >= unit.ms)
  return unit === undefined
    ? plural(Math.max(0, Math.floor(ms / 1000)), 'second')
    : plural(Math.floor(ms / unit.ms), unit.name)
}

/** `72` → `3 days`, `12` → `12 hours`: whole days where it is some. */
export const hoursText = (hours: number): string =>
  hours % 24 === 0 ? plural(hours / 24, 'day') : plural(hours, 'hour')
