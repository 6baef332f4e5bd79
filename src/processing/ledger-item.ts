import type { Destination } from '../account/destination.ts'
import type { OriginAllowlist } from '../account/origin-allowlist.ts'
import type { DestinationKey } from '../delivery/outbox.ts'
import type { LedgerEntry } from '../ledger/decision.ts'
import type { CountedGoals } from './goals/counted-goals.ts'

/** Storage's key of a ledger entry; later entries have greater keys. */
export type EntryKey = number & { readonly __of: 'entry' }

export interface LedgerItem<Kind extends LedgerEntry = LedgerEntry> {
  key: EntryKey
  entry: Kind
  account: ProcessedAccount
}

export interface UnderWay {
  key: EntryKey
}

export interface ProcessedAccount {
  id: string
  /** IANA name; decides which day a record counts for. */
  timezone: string
  /** Connected domains: referrers on these hosts are ignored. */
  domains: string[]
  /** Hosts whose pages may post: ignored as referrers too. */
  origins: OriginAllowlist
  /** Destinations that its submissions may be sent to, including paused ones. */
  destinations: readonly ProcessedDestination[]
  /** `null`: it counts no goals. */
  goals: CountedGoals | null
}

export interface ProcessedDestination {
  key: DestinationKey
  destination: Destination
  /** Submissions that counted before are not sent there. Epoch milliseconds. */
  createdAt: number
}

/**
 * A record's place in the order of receipt. Persons follow this order, not that of commits, so that records committed
 * out of order make the same persons.
 */
export interface Receipt {
  at: number
  /** The record's id orders records of one millisecond. */
  id: string
}

export const receiptOf = ({ receivedAt, id }: { receivedAt: number; id: string }): Receipt => ({ at: receivedAt, id })

export const isLater = (one: Receipt, other: Receipt): boolean =>
  one.at === other.at ? one.id > other.id : one.at > other.at
