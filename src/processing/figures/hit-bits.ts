import { figureName } from './figure-name.ts'
import type { Measure } from './measures.ts'

/** What one entry added to the figures of its day, as `device_entry` keeps it: one bit for each measure. Never renumbered. */
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
 * An event that a visit went on with: in no figure, but the visit lasts until then. Beside the bits above, and never
 * renumbered either.
 */
export const wentOnBit = 64

type HitMeasure = keyof typeof hitBits

const hitMeasures = Object.keys(hitBits) as HitMeasure[]

/**
 * The figures of its day that an entry with these bits added one to: its erasure takes one from each. `slug`: of the
 * landing page that it viewed; `null`: of none, or its record cannot be read.
 */
export const figuresTakenBack = (bits: number, slug: string | null): { measure: HitMeasure; name: string }[] =>
  hitMeasures
    .filter((measure) => (bits & hitBits[measure]) !== 0 && (measure !== 'page' || slug !== null))
    .map((measure) => ({ measure, name: measure === 'page' ? figureName(slug ?? '') : '' }))

/** The bits of an entry that is counted again. Entries processed before landing pages were counted have no `page`, and get none. */
export const countedAgain = (before: number, again: number): number => (again & ~hitBits.page) | (before & hitBits.page)

/**
 * The figure that goes with a device's row when it is erased: one from `visitor_last` of that day. What retention
 * deletes was counted, and stays counted: of a device that viewed something then, as one of that day.
 */
export const figureOfDevice = ({ viewDay }: { viewDay: number | null }): { day: number; measure: Measure } | null =>
  viewDay === null ? null : { day: viewDay, measure: 'visitor_last' }

/** What of a visit is known of an entry by its bits: `isView` by a person, `begins` one, `goesOn` what it lasts until. */
export const visitOf = (bits: number): { isView: boolean; begins: boolean; goesOn: boolean } => {
  const isView = (bits & hitBits.view) !== 0
  return { isView, begins: (bits & hitBits.visit) !== 0, goesOn: isView || (bits & wentOnBit) !== 0 }
}
