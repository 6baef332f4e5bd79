/** Why nothing is sent to a destination: by an operator, since it answered 410, or after days of failure. */
export type PauseReason = 'hand' | 'gone' | 'failing'

const dayMs = 86_400_000

/** A destination that has failed for so long, and so often, is paused (contract section 14). */
const failingMsMax = 5 * dayMs
const failuresMin = 10

/** How a destination has fared since its latest success. */
interface Failing {
  /** The first failed attempt, epoch milliseconds; `null`: none has failed. */
  since: number | null
  /** Failed attempts since then. */
  failures: number
}

/** A quiet account's single failures, days apart, are not days of nothing but failure. */
export const isGivenUp = ({ since, failures }: Failing, now: number): boolean =>
  since !== null && now - since >= failingMsMax && failures >= failuresMin
