/** How often a check refused requests of an account, within one hour. */
export interface RefusalCount {
  accountId: string
  /** Hours since the Unix epoch. */
  hour: number
  endpoint: RefusingEndpoint
  /** The refusing check's name in the table of refusals; `storage`: the record could not be stored. */
  check: string
  /** The posting origin; '' when the request named none, `*` for all beyond the limit of names kept. */
  origin: string
  count: number
}

/** Counts are kept for 90 days: they explain why nothing arrives and are not statistics. */
export const refusalHoursKept = 90 * 24

/** Counts of several hours, added up. */
export type RefusalTotal = Pick<RefusalCount, 'endpoint' | 'check' | 'origin' | 'count'>

export type RefusingEndpoint = 'form' | 'event' | 'click' | 'page' | 'download' | 'upload' | 'any'

/**
 * Remembers why requests were refused.
 *
 * Guarantees: counts of the same hour and names add up; `read` shows whatever an earlier `add` resolved for, until
 * it is `refusalHoursKept` old, or counts of the account are added that are so much newer.
 */
export interface RefusalLog {
  add(counts: RefusalCount[]): Promise<void>
  /** Counts of an account from the given instant (epoch milliseconds, widened to its hour) on, largest first. */
  read(accountId: string, since: number): Promise<RefusalTotal[]>
}
