import type { Destination, DestinationKind } from '../account/destination.ts'
import type { PauseReason } from './destination-state.ts'
import type { DeliveryState } from './outbox.ts'

/** One delivery as a list shows it. Instants in epoch milliseconds. */
export interface ListedDelivery {
  id: string
  /** The destination's name; it may have been removed since. */
  destination: string
  kind: DestinationKind
  /** `null`: a report. */
  submissionId: string | null
  state: DeliveryState
  /** Whether its destination is paused. */
  paused: boolean
  attempts: number
  createdAt: number
  /** `null`: it does not wait. */
  nextAt: number | null
  lastStatus: number | null
  lastError: string | null
}

export interface ShownDelivery extends ListedDelivery {
  /** In the order in which they were made; those of the last 30 days. */
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

/** How a destination fares. */
export interface DestinationReport {
  destination: Destination
  /** `null`: it is not paused. */
  pause: { reason: PauseReason; at: number } | null
  /** Since when nothing but failure, epoch milliseconds; `null`: its latest attempt succeeded, or there was none. */
  failingSince: number | null
  failures: number
  waiting: number
  failed: number
}

/** Which deliveries are tried again. `all`: those that wait, and those that have failed. */
export type RetrySelection = { id: string } | { destination: string } | 'failed' | 'all'

export interface DeliveryQuery {
  accountId: string
  /** `null`: in every state. */
  state: DeliveryState | null
  /** Part of a destination's name or of an error, or the id of a delivery or submission; `null`: all. */
  q: string | null
  limit: number
  /** A cursor that the page before has named; `null`: the first page. */
  behind: string | null
}

export interface DeliveryPage {
  deliveries: ListedDelivery[]
  /** Where the next page begins; `null`: this is the last. A page of a search may be empty and have a next one. */
  next: string | null
}

/**
 * What an operator sees and does of deliveries.
 *
 * Guarantees: no change holds up another writer for longer than 20 ms; a running service heeds each within a second.
 */
export interface DeliveryDesk {
  /** The latest first, stable while more are made. */
  list(query: DeliveryQuery): Promise<DeliveryPage>
  find(accountId: string, id: string): Promise<ShownDelivery | null>
  /** Those of one submission, in the order in which they were made. */
  ofSubmission(accountId: string, submissionId: string): Promise<ListedDelivery[]>
  /** Makes them due at once, on a schedule that begins anew; answers how many. */
  retry(accountId: string, selection: RetrySelection, now: number): Promise<number>
  /** In order of their names. */
  destinations(accountId: string): Promise<DestinationReport[]>
  /** `false`: there is no such destination. */
  pause(accountId: string, name: string, now: number): Promise<boolean>
  /** What waits is due again. `false`: there is no such destination. */
  resume(accountId: string, name: string): Promise<boolean>
  /** The secrets of a webhook that sign, the latest first; empty: it has none. */
  secrets(accountId: string, name: string, now: number): Promise<string[]>
  /** Names of the destinations to which something of a person was sent, or may have been. @param email as `identityEmail` writes it */
  notified(accountId: string, email: string): Promise<string[]>
  /** The new secret signs at once, and the one before beside it until the instant that is answered. */
  replaceSecret(accountId: string, name: string, secret: string, now: number): Promise<number>
}
