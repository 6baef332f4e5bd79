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

export type HitMeasure = keyof typeof hitBits

const hitMeasures = Object.keys(hitBits) as HitMeasure[]

/** The figures of its day that an entry with these bits added one to: its erasure takes one from each. */
export const figuresTakenBack = (bits: number): HitMeasure[] =>
  hitMeasures.filter((measure) => (bits & hitBits[measure]) !== 0)

/**
 * The figure that goes with a device's row when it is erased: one from `visitor_last` of that day. What retention
 * deletes was counted, and stays counted.
 */
export const figureOfDevice = ({ viewDay }: { viewDay: number | null }): { day: number; measure: Measure } | null =>
  viewDay === null ? null : { day: viewDay, measure: 'visitor_last' }
