import { figureName } from './figure-name.ts'
import type { Measure } from './measures.ts'

/** What one entry added to its day's figures, one bit for each measure, as `device_entry` keeps it. Never renumber. */
export const hitBits = {
  view: 1,
  view_bot: 2,
  event: 4,
  event_bot: 8,
  visit: 16,
  visitor: 32,
  page: 128,
} as const satisfies Partial<Record<Measure, number>>

/**
 * An event that continued a visit: it is in no figure, but extends the visit. Stored with the bits above; never
 * renumber.
 */
export const wentOnBit = 64

type HitMeasure = keyof typeof hitBits

const hitMeasures = Object.keys(hitBits) as HitMeasure[]

/**
 * The figures that an entry with these bits increased by one, and that its erasure decreases. `slug`: the landing page
 * it viewed; `null`: none, or its record is unreadable.
 */
export const figuresTakenBack = (bits: number, slug: string | null): { measure: HitMeasure; name: string }[] =>
  hitMeasures
    .filter((measure) => (bits & hitBits[measure]) !== 0 && (measure !== 'page' || slug !== null))
    .map((measure) => ({ measure, name: measure === 'page' ? figureName(slug ?? '') : '' }))

/**
 * The bits of an entry that is counted again. Entries processed before landing pages were counted have no `page` bit
 * and get none.
 */
export const countedAgain = (before: number, again: number): number => (again & ~hitBits.page) | (before & hitBits.page)

/**
 * The figure to decrease when a device's row is erased: `visitor_last` of its last day. Retention deletes records but
 * keeps their counts, so the device then still counts for that day.
 */
export const figureOfDevice = ({ viewDay }: { viewDay: number | null }): { day: number; measure: Measure } | null =>
  viewDay === null ? null : { day: viewDay, measure: 'visitor_last' }

/** What of a visit is known of an entry by its bits: `isView` by a person, `begins` one, `goesOn` what it lasts until. */
export const visitOf = (bits: number): { isView: boolean; begins: boolean; goesOn: boolean } => {
  const isView = (bits & hitBits.view) !== 0
  return { isView, begins: (bits & hitBits.visit) !== 0, goesOn: isView || (bits & wentOnBit) !== 0 }
}
