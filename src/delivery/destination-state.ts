/** Why nothing is sent to a destination: an operator paused it, it answered 410, or it failed for days. */
export type PauseReason = 'hand' | 'gone' | 'failing'

const dayMs = 86_400_000

/** A destination that has failed for this long, this often, is paused (docs/deliveries.md). */
const failingMsMax = 5 * dayMs
const failuresMin = 10

/** A destination's failures since its latest success. */
interface Failing {
  /** The first failed attempt, epoch milliseconds; `null`: none. */
  since: number | null
  /** Failed attempts since then. */
  failures: number
}

/** A quiet account's single failures, days apart, do not amount to days of failure. */
export const isGivenUp = ({ since, failures }: Failing, now: number): boolean =>
  since !== null && now - since >= failingMsMax && failures >= failuresMin
