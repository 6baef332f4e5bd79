import type { Destination, DestinationKind } from '../account/destination.ts'
import type { DeliveryState } from './outbox.ts'

/** One delivery as a list shows it. Instants in epoch milliseconds. */
export interface ListedDelivery {
  id: string
  /** The destination's name, even if it was removed since. */
  destination: string
  kind: DestinationKind
  /** `null`: a report. */
  submissionId: string | null
  state: DeliveryState
  /** Whether its destination is paused. */
  paused: boolean
  attempts: number
  createdAt: number
  /** `null`: it is not waiting. */
  nextAt: number | null
  lastStatus: number | null
  lastError: string | null
}

export interface ShownDelivery extends ListedDelivery {
  /** In the order in which they were made; the last 30 days. */
  exchanges: KeptExchange[]
}

export interface KeptExchange {
  number: number
  at: number
  status: number | null
  error: string | null
  /** The dialogue as it happened, without secrets. */
  exchange: string
}

/** The state of a destination. */
export interface DestinationReport {
  destination: Destination
  /** `null`: not paused. */
  pause: { reason: PauseReason; at: number } | null
  /** Since when every attempt failed, epoch milliseconds; `null`: its latest attempt succeeded, or there was none. */
  failingSince: number | null
  failures: number
  /** When something last got through, epoch milliseconds; `null`: nothing did of the account's latest deliveries. */
  deliveredAt: number | null
  waiting: number
  failed: number
  /** Submissions that counted before are sent there by a backfill alone. */
  createdAt: number
}

/** Submissions that a destination is to get although they came before it. */
export interface Backfill {
  name: string
  /** In the order in which they are sent. */
  ids: readonly string[]
  now: number
}

/** The deliveries to retry. `all`: waiting and failed ones. */
export type RetrySelection = { id: string } | { destination: string } | 'failed' | 'all'

export interface DeliveryQuery {
  accountId: string
  /** `null`: any state. */
  state: DeliveryState | null
  /** Part of a destination's name or of an error, or the id of a delivery or submission; `null`: no search. */
  q: string | null
  limit: number
  /** A cursor from the previous page; `null`: the first page. */
  behind: string | null
}

export interface DeliveryPage {
  deliveries: ListedDelivery[]
  /**
   * The cursor of the next page; `null`: this is the last one. A page of a search may be empty and still have a next
   * one.
   */
  next: string | null
}

/**
 * What an operator sees of deliveries and does about them.
 *
 * Guarantees: no change holds up another writer for longer than 20 ms; a running service heeds each within a second.
 */
export interface DeliveryControl {
  /** Latest first; stable while more are added. */
  list(query: DeliveryQuery): Promise<DeliveryPage>
  find(accountId: string, id: string): Promise<ShownDelivery | null>
  /** Deliveries of one submission, in the order in which they were made. */
  ofSubmission(accountId: string, submissionId: string): Promise<ListedDelivery[]>
  /** Makes them due at once, with a fresh schedule; returns how many. */
  retry(accountId: string, selection: RetrySelection, now: number): Promise<number>
  /** How many of the submissions are not in the outbox for the destination, and never were. */
  countUnsent(accountId: string, name: string, ids: readonly string[]): Promise<number>
  /** Puts those into the outbox, marked as backfilled; returns how many. */
  backfill(accountId: string, backfill: Backfill): Promise<number>
  /** Ordered by name. */
  destinations(accountId: string): Promise<DestinationReport[]>
  /** `false`: no such destination. */
  pause(accountId: string, name: string, now: number): Promise<boolean>
  /** What waits is due again. `false`: no such destination. */
  resume(accountId: string, name: string): Promise<boolean>
  /** The secrets that sign a webhook, latest first; empty: it has none. */
  secrets(accountId: string, name: string, now: number): Promise<string[]>
  /**
   * Names of the destinations that were or may have been sent something about a person, or one of the submissions.
   * @param of `email` as `identityEmail` writes it; `null`: of no person
   */
  notified(accountId: string, of: { email: string | null; submissions: readonly string[] }): Promise<string[]>
  /** The new secret signs at once; the previous one signs beside it until the returned instant. */
  replaceSecret(accountId: string, name: string, secret: string, now: number): Promise<number>
}

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
