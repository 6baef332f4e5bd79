import type { Measure } from './measures.ts'

/** What one entry added to the figures of its day, as `device_entry` keeps it: one bit for each measure. Never renumbered. */
export const hitBits = {
  view: 1,
  view_bot: 2,
  event: 4,
  event_bot: 8,
  visit: 16,
  visitor: 32,
} as const satisfies Partial<Record<Measure, number>>

/**
 * An event that a visit went on with: in no figure, but the visit lasts until then. Beside the bits above, and never
 * renumbered either.
 */
export const wentOnBit = 64

export type HitMeasure = keyof typeof hitBits

const hitMeasures = Object.keys(hitBits) as HitMeasure[]

/** The figures of its day that an entry with these bits added one to: its erasure takes one from each. */
export const figuresTakenBack = (bits: number): HitMeasure[] =>
  hitMeasures.filter((measure) => (bits & hitBits[measure]) !== 0)

/**
 * The figure that goes with a device's row when it is erased: one from `visitor_last` of that day. What retention
 * deletes was counted, and stays counted: of a device that viewed something then, as one of that day.
 */
export const figureOfDevice = ({ viewDay }: { viewDay: number | null }): { day: number; measure: Measure } | null =>
  viewDay === null ? null : { day: viewDay, measure: 'visitor_last' }

/** What of a visit is known of an entry by its bits: `isView` by a person, `goesOn` what it lasts until. */
export const visitOf = (bits: number): { isView: boolean; goesOn: boolean } => {
  const isView = (bits & hitBits.view) !== 0
  return { isView, goesOn: isView || (bits & wentOnBit) !== 0 }
}
