import type { Destination } from '../account/destination.ts'
import type { Attempt } from './attempt.ts'

export type DeliveryState = 'waiting' | 'delivered' | 'failed'

/** Storage's names of a destination and of a row of the outbox; of no meaning to anybody else. */
export type DestinationKey = number & { readonly __of: 'destination' }
export type DeliveryKey = number & { readonly __of: 'delivery' }

/** A destination with something due. */
export interface ReadyDestination {
  key: DestinationKey
  accountId: string
  /** Its latest attempt failed. */
  isFailing: boolean
  /** It is reached through the box's one mail server. */
  isMail: boolean
}

/** What one attempt carries: one delivery, or of a mail all that wait for its destination and form. */
export interface Parcel {
  key: DestinationKey
  accountId: string
  destination: Destination
  /** The secrets that sign, the latest first. Of a webhook alone. */
  secrets: readonly string[]
  /** At least one. */
  deliveries: readonly PackedDelivery[]
}

export interface PackedDelivery {
  key: DeliveryKey
  id: string
  /** `null`: a report. */
  submissionId: string | null
  /** `null`: a report. */
  formId: string | null
  /** Of a report, as `dueReports` names it: `2026-10`, `2026-W42`, `2026-10-12`. */
  period: string | null
  /** When the submission came to count, or the report was due, epoch milliseconds. */
  createdAt: number
  /** Failed attempts of the schedule under way. */
  scheduleStep: number
  /** When it is due, epoch milliseconds. One that is not yet only joins a mail, and a failure does not count for it. */
  nextAt: number
  /** As first sent; `null`: nothing was kept. */
  body: string | null
}

export interface TakeOptions {
  /** Epoch milliseconds. */
  now: number
  /** Deliveries of which an attempt is under way. */
  underWay: ReadonlySet<DeliveryKey>
}

/** What became of a parcel. */
export interface Settlement {
  parcel: Parcel
  attempt: Attempt
  /** When the attempt ended, epoch milliseconds. */
  at: number
  /** Of each delivery that did not succeed, in the order of the parcel: when it is tried again; `null`: it has failed. */
  nextAt: readonly (number | null)[]
}

/**
 * What is to be sent, and what became of it.
 *
 * Guarantees: a row is written in the transaction that processes its submission, and is there until it is settled, whatever
 * is killed when; a settlement of a row that is gone changes nothing. Nothing of a paused destination, or of a removed
 * account, is ready.
 */
export interface Outbox {
  /** Destinations with something due, each once. */
  ready(now: number): Promise<ReadyDestination[]>
  /** The next parcel of a destination; `null`: nothing of it is due beside what is under way. */
  take(destination: DestinationKey, options: TakeOptions): Promise<Parcel | null>
  /** Notes that attempts begin, and with which body: whoever may have been told is known even if the process dies. */
  begin(begun: readonly { parcel: Parcel; body: string | null }[], at: number): Promise<void>
  /** Keeps outcomes and exchanges. A destination that answered 410, or has failed for days, is paused. */
  settle(settlements: readonly Settlement[]): Promise<void>
  /** Whether others have changed something since the last time it was asked. */
  hasChanged(): boolean
  /** Erases exchanges and bodies that were settled before then, and what removed destinations had waiting; in small steps. */
  clean(before: number): Promise<void>
}
