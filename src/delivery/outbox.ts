import type { Destination } from '../account/destination.ts'

export type DeliveryState = 'waiting' | 'delivered' | 'failed'

/** Storage's keys of a destination and of a row of the outbox; they mean nothing elsewhere. */
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

/** The content of one attempt: one delivery, or for a mail all that wait for its destination and form. */
export interface Parcel {
  key: DestinationKey
  accountId: string
  destination: Destination
  /** The secrets that sign, latest first. Webhooks only. */
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
  /** The period of a report, as `dueReports` names it: `2026-10`, `2026-W42`, `2026-10-12`. */
  period: string | null
  /** When the submission began to count, or the report was due, epoch milliseconds. */
  createdAt: number
  /** Failed attempts in the present schedule. */
  scheduleStep: number
  /**
   * When it is due, epoch milliseconds. A delivery that is not due yet may join a mail, whose failure then does not
   * count for it.
   */
  nextAt: number
  /** As first sent; `null`: nothing was kept. */
  body: string | null
}

export interface TakeOptions {
  /** Epoch milliseconds. */
  now: number
  underWay: ReadonlySet<DeliveryKey>
}

/** The outcome of a parcel. */
export interface Settlement {
  parcel: Parcel
  attempt: Attempt
  /** When the attempt ended, epoch milliseconds. */
  at: number
  /** For each delivery that did not succeed, in the order of the parcel: when it is retried; `null`: it has failed. */
  nextAt: readonly (number | null)[]
}

/**
 * What is to be sent, and the outcomes.
 *
 * Guarantees: a row is written in the transaction that processes its submission, and stays until it is settled,
 * whatever is killed; settling a row that is gone changes nothing. Nothing of a paused destination or of a removed
 * account is ready.
 */
export interface Outbox {
  /** Destinations with something due, each once. */
  ready(now: number): Promise<ReadyDestination[]>
  /** The destination's next parcel; `null`: nothing is due besides what is under way. */
  take(destination: DestinationKey, options: TakeOptions): Promise<Parcel | null>
  /** Records that attempts begin, and with which body, so that after a crash it is known who may have been told. */
  begin(begun: readonly { parcel: Parcel; body: string | null }[], at: number): Promise<void>
  /** Stores outcomes and exchanges. A destination that answered 410 or failed for days is paused. */
  settle(settlements: readonly Settlement[]): Promise<void>
  /** Whether others have changed something since the last call. */
  hasChanged(): boolean
  /** Deletes exchanges and bodies settled before then, and what removed destinations had waiting, in small steps. */
  clean(before: number): Promise<void>
}

/** The outcome of one attempt at a delivery. */
export interface Attempt {
  /** `gone`: the receiver wants nothing more (410), so its destination is paused. */
  outcome: 'delivered' | 'failed' | 'gone'
  /** The receiver's code, of HTTP or SMTP; `null`: it never answered. */
  status: number | null
  /** One sentence that says what to do; `null`: nothing. A delivered mail may still have a recipient to correct. */
  error: string | null
  /** Another try would be wrong, or might repeat what the receiver may be told only once. Absent: it is retried. */
  isLast?: boolean
  /** How long the receiver asks to be left alone; `null`: it does not say. */
  retryAfterMs: number | null
  /** The dialogue as it happened, without secrets, at most `exchangeCharactersMax` long. */
  exchange: string
}

const exchangeCharactersMax = 16_384

/** Cut to the length that is kept of an exchange. */
export const boundedExchange = (text: string): string =>
  text.length <= exchangeCharactersMax ? text : `${text.slice(0, exchangeCharactersMax - cutMark.length)}${cutMark}`

const cutMark = '\n[cut here]'
