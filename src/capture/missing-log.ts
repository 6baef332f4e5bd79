/** How often a path of an account, at which nothing is, was asked for on one day. */
export interface MissingCount {
  accountId: string
  /** Days since 1970-01-01 in the account's time zone. */
  day: number
  /** As in a URL, without query, final slash and whatever looks personal. */
  path: string
  count: number
}

/** Counts of several days, added up. */
export type MissingTotal = Pick<MissingCount, 'path' | 'count'>

/** Of an account on one day; later ones are not counted. */
export const missingPathsPerDayMax = 200

/** Counts are kept for 90 days, as those of refusals are. */
export const missingDaysKept = 90

/**
 * Remembers which missing addresses were asked for.
 *
 * Guarantees: counts of the same day and path add up; of a day, the first `missingPathsPerDayMax` paths of an account are
 * kept; counts go when they are `missingDaysKept` old, or once others of the account are added that are so much
 * newer.
 */
export interface MissingLog {
  add(counts: MissingCount[]): Promise<void>
  /** Counts of an account from a day of its time zone on, largest first. */
  read(accountId: string, fromDay: number, totalsMax: number): Promise<MissingTotal[]>
}
