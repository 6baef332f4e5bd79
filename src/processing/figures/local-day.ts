import { RecentMap } from '../../lib/recent-map.ts'

const dayMs = 86_400_000
/** A box's accounts live in few time zones; each one's formatter takes some kilobytes, and 30 µs to make. */
const rememberedZonesMax = 64

/** The day that an instant (epoch milliseconds) falls on in an IANA time zone: days since 1970-01-01. */
export const localDay = (epochMs: number, timezone: string): number => new LocalDays().of(epochMs, timezone)

/** More than any time zone is away from UTC. */
const offsetMsMax = 26 * 3_600_000

/** When a day begins in an IANA time zone, epoch milliseconds. */
export function startOfDay(day: number, timezone: string): number {
  const days = new LocalDays()
  let [before, begun] = [day * dayMs - offsetMsMax, day * dayMs + offsetMsMax]
  while (begun - before > 1) {
    const middle = Math.floor((before + begun) / 2)
    if (days.of(middle, timezone) < day) before = middle
    else begun = middle
  }
  return begun
}

/** The date of a day: `2026-11-20`. */
export const dateOfDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** `localDay` for many instants in a few time zones, of which it remembers how to ask. */
export class LocalDays {
  private readonly formats = new RecentMap<Intl.DateTimeFormat>(rememberedZonesMax)

  of(epochMs: number, timezone: string): number {
    // What an account has that names none, and by far the cheapest.
    if (timezone === 'UTC') return Math.floor(epochMs / dayMs)
    return dayIn(this.formats.get(timezone) ?? this.formatOf(timezone), epochMs)
  }

  private formatOf(timezone: string): Intl.DateTimeFormat {
    const format = dateFormat(timezone)
    this.formats.set(timezone, format)
    return format
  }
}

/** Swedish dates are written as ISO 8601 writes them, which `Date.parse` reads as UTC. */
const dateFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

const dayIn = (format: Intl.DateTimeFormat, epochMs: number): number => Date.parse(format.format(epochMs)) / dayMs
