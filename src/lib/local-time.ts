// Wall clock times of a time zone, such as 2026-12-01 08:00 in Berlin, as instants (epoch milliseconds) and back.

const dayMs = 86_400_000

/** `2026-12-01 08:00`, with seconds if need be: the wall clock's time as if it were UTC. `null`: it is none. */
export function parseWallTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?$/.test(text)) return null
  const wall = Date.parse(`${text.replace(' ', 'T')}Z`)
  // February 30 may be read as March 2, and 24:00 as the next day.
  return Number.isNaN(wall) || !isoText(wall).startsWith(text) ? null : wall
}

/** The wall clocks of a time zone. */
export class WallClock {
  /** Made when it is first needed: a process's first takes 8 ms, and few site folders have pages with times. */
  private format: Intl.DateTimeFormat | null = null

  constructor(private readonly timeZone: string) {}

  /**
   * The instant at which they show a time. Of a time that they show twice in a night, the first. A time that they skip counts as if
   * they had not been put forward yet: 02:30 is what they show as 03:30 (RFC 5545 section 3.3.5).
   */
  instantOf(wall: number): number {
    const before = wall - this.aheadMs(wall - dayMs)
    const after = wall - this.aheadMs(wall + dayMs)
    return before + this.aheadMs(before) !== wall && after + this.aheadMs(after) === wall ? after : before
  }

  /** What they show at an instant. */
  wallOf(instant: number): number {
    return instant + this.aheadMs(instant)
  }

  /** The same as text: `2026-12-01 08:00`, with seconds where they are not 0. */
  textOf(instant: number): string {
    return isoText(this.wallOf(instant)).replace(/:00$/, '')
  }

  /** How far they are ahead of UTC. */
  private aheadMs(instant: number): number {
    // Swedish dates have the form of ISO 8601.
    this.format ??= new Intl.DateTimeFormat('sv-SE', {
      timeZone: this.timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    return Date.parse(`${this.format.format(instant).replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000
  }
}

const isoText = (wall: number): string =>
  new Date(wall).toISOString().slice(0, 'YYYY-MM-DD HH:MM:SS'.length).replace('T', ' ')
