import type { DestinationKind } from '../../account/destination.ts'
import type { PauseReason } from '../../delivery/delivery-control.ts'

/** An account as a list of all of them shows it. */
export interface AccountName {
  id: string
  handle: string
  name: string
  domains: readonly string[]
  /** IANA name. */
  timezone: string
  /** For how long it may be without a lead before that needs attention; `null`: for ever. */
  noLeadsForHours: number | null
}

/** The days of which the console's first page shows leads, and the same number before them, with which they are compared. */
export const overviewDays = 30

/** How many leads an account got of late. */
export interface LatestLeads {
  /** On each of the last `2 * overviewDays` days, today last. */
  byDay: number[]
  /** Receipt of the latest that was accepted at once, epoch milliseconds; `null`: there is none. */
  lastAt: number | null
}

/** A destination to which nothing gets through. */
export interface StoppedDestination {
  accountId: string
  name: string
  kind: DestinationKind
  /** `null`: it is not paused. */
  pauseReason: PauseReason | null
  /** Since when, epoch milliseconds. */
  since: number
}

/** A publication after which somebody new gets what visitors enter. */
export interface AddedReceivers {
  accountId: string
  at: number
  /** The name of the user or token. */
  by: string
  /** Without secrets. */
  receivers: readonly string[]
}

/** An address of an account at which nothing is, and how often it was asked for on the busier of two days. */
export interface OftenMissing {
  accountId: string
  path: string
  count: number
}

/** Asked for so often on a day, an address is worth a redirect. */
export const oftenMissingMin = 5
/** Of an account. */
export const oftenMissingMax = 20

export interface RefusalCounts {
  accountId: string
  /** From `since` on. */
  lately: number
  /** In a time of the same length before. */
  before: number
}

/**
 * What the first page of the console says of all accounts.
 *
 * Guarantees: no answer takes longer for the number of records, deliveries or days behind it.
 */
export interface OverviewReader {
  /** In order of their handles. */
  accounts(): Promise<AccountName[]>
  /** One for each of the accounts. @param days today in the time zone of each, days since 1970-01-01 */
  latestLeads(accounts: readonly { id: string; today: number }[]): Promise<LatestLeads[]>
  stoppedDestinations(): Promise<StoppedDestination[]>
  /** Handles of accounts that have mail to send: leads, reports or replies. */
  mailingAccounts(): Promise<string[]>
  /** Of the API and the console, since the instant, latest first; at most a hundred. */
  addedReceivers(since: number): Promise<AddedReceivers[]>
  /** Asked for at least `oftenMissingMin` times today or yesterday, most first; of an account at most `oftenMissingMax`. */
  missing(accounts: readonly { id: string; today: number }[]): Promise<OftenMissing[]>
  /** Accounts of which anything was refused that somebody could mend. @param hour hours since the Unix epoch */
  refusals(hour: number, hours: number): Promise<RefusalCounts[]>
}
