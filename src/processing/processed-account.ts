import type { Destination } from '../account/destination.ts'
import type { OriginAllowlist } from '../account/origin-allowlist.ts'
import type { DestinationKey } from '../delivery/outbox.ts'
import type { CountedGoals } from './goals/counted-goals.ts'

/** An account as processing sees it. */
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
