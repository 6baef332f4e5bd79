import type { Destination } from '../account/destination.ts'
import type { OriginAllowlist } from '../account/origin-allowlist.ts'
import type { DestinationKey } from '../delivery/outbox.ts'
import type { CountedGoals } from './goals/counted-goals.ts'

/** What processing needs to know of an account. */
export interface ProcessedAccount {
  id: string
  /** IANA name: whose days a figure belongs to. */
  timezone: string
  /** Connected domains: visits from there come from nowhere. */
  domains: string[]
  /** Hosts whose pages may post: visits from there come from nowhere either. */
  origins: OriginAllowlist
  /** To which its submissions may be sent, paused ones included. */
  destinations: readonly ProcessedDestination[]
  /** `null`: it counts no goals. */
  goals: CountedGoals | null
}

export interface ProcessedDestination {
  key: DestinationKey
  destination: Destination
  /** What counted before is not sent there. Epoch milliseconds. */
  createdAt: number
}
