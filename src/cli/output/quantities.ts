const kilobyte = 1024
const sizeUnits = ['KB', 'MB', 'GB', 'TB'] as const

const ageUnits: [name: string, ms: number][] = [
  ['y', 365.25 * 86_400_000],
  ['mo', (365.25 * 86_400_000) / 12],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
]

/** `1234567` → `1,234,567`. */
export const count = (number: number): string => number.toLocaleString('en-US')

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

/** An age in its largest whole unit, as `--since` takes it: `45s`, `12h`, `30d`, `13mo`. */
export function age(ms: number): string {
  const [name, unitMs] = ageUnits.find(([, unitMs]) => ms >= unitMs) ?? ['s', 1000]
  return `${Math.max(0, Math.floor(ms / unitMs))}${name}`
}

/** How long something took: `340 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${Number((ms / 1000).toFixed(1))} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** An instant in UTC to the second: `2026-11-20 14:03:22 UTC`. */
export const timestamp = (epochMs: number): string =>
  `${new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`
