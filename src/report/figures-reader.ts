import type { Measure } from '../processing/figures/measures.ts'
import type { MissingAddress } from './missing.ts'

/** The stored roll-ups of an account from a day on, and the other stored data of a report. */
export interface StoredFigures {
  /** The figures of each day that a report shows, summed over their names. Without zeros. */
  byDay: { day: number; measure: Measure; count: number }[]
  /** Every figure that is split by name, summed over the days. Without zeros. */
  byName: { measure: Measure; name: string; count: number }[]
  /** Refused requests and lost page views by the hour (hours since the Unix epoch) they were counted in; kept for 90 days. */
  byHour: { hour: number; refused: number; lostPageViews: number }[]
  /** Refused requests of these hours by what refused them, most first; without lost page views. */
  refusals: { endpoint: string; check: string; count: number }[]
  /** Asked for though nothing is there, most first; at most `missingShownMax`, kept for 90 days. */
  missing: MissingAddress[]
  /** Devices that viewed something in the period, each counted once. */
  visitors: number
  /** Submissions in quarantine that were not released. */
  quarantined: number
  /** Since when goals, funnels and splits are counted, by `aimKey`, `funnelKey` or `splitKey`, epoch milliseconds. */
  goalsSince: { key: string; since: number }[]
  /** The first day of the period on which a visit did each goal and step, or was shown each version, by its figure's name. */
  goalsFirstDone: { name: string; day: number }[]
  /** The first and last day that anything was ever counted for; `null`: nothing was. */
  known: { first: number; last: number } | null
}

/** A period of an account. Days are days since 1970-01-01 in its time zone. */
export interface FigurePeriod {
  fromDay: number
  /** When `fromDay` begins, epoch milliseconds: hours that begin before it are left out. */
  fromAt: number
  /** The first day that is not included, and when it begins; `null`: the period goes on. */
  until: { day: number; at: number } | null
}

/**
 * Reads the roll-ups that processing keeps (docs/reports.md).
 *
 * Guarantees: all of an answer is of one moment; it does not take longer for the number of records behind it; nothing of
 * another account is in it.
 */
export interface FigureReader {
  read(accountId: string, period: FigurePeriod): Promise<StoredFigures>
  /** The hours of a day, in hours since the Unix epoch. Without zeros. */
  hours(accountId: string, day: number): Promise<{ measure: Measure; hour: number; count: number }[]>
}
