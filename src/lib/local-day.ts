import { RecentMap } from './recent-map.ts'

const dayMs = 86_400_000
/** A box's accounts use few time zones; each zone's formatter takes some kilobytes and 30 µs to create. */
const rememberedZonesMax = 64

/** The day of an instant (epoch milliseconds) in an IANA time zone: days since 1970-01-01. */
export const localDay = (epochMs: number, timezone: string): number => new LocalDays().of(epochMs, timezone)

/** More than any time zone's offset from UTC. */
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

const quarterMs = 15 * 60_000
/** Since 1972, all offsets are multiples of a quarter of an hour, so no day begins within one. */
const wholeQuartersFrom = Date.UTC(1973, 0)

interface Zone {
  format: Intl.DateTimeFormat
  /** The last quarter of an hour asked for, and its day. */
  quarter: number
  day: number
}

/** `localDay` for many instants in a few time zones; remembers formatters and the latest answer. */
export class LocalDays {
  private readonly zones = new RecentMap<Zone>(rememberedZonesMax)

  of(epochMs: number, timezone: string): number {
    // The default of accounts without a time zone, and by far the cheapest.
    if (timezone === 'UTC') return Math.floor(epochMs / dayMs)
    const zone = this.zones.get(timezone) ?? this.zoneOf(timezone)
    const quarter = Math.floor(epochMs / quarterMs)
    if (quarter !== zone.quarter || epochMs < wholeQuartersFrom) {
      zone.quarter = quarter
      zone.day = dayIn(zone.format, epochMs)
    }
    return zone.day
  }

  private zoneOf(timezone: string): Zone {
    const zone = { format: dateFormat(timezone), quarter: Number.NaN, day: 0 }
    this.zones.set(timezone, zone)
    return zone
  }
}

/** Swedish dates have the form of ISO 8601, which `Date.parse` reads as UTC. */
const dateFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

const dayIn = (format: Intl.DateTimeFormat, epochMs: number): number => Date.parse(format.format(epochMs)) / dayMs
