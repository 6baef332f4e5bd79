import type { LiveAccount } from '../account/live-account.ts'
import type { RunningSplits } from '../account/split.ts'

/** A request that has been routed to an account, with what the checks and the record need of it. */
export interface SiteRequest {
  request: Request
  account: LiveAccount
  splits: RunningSplits
  /** The connected domain that was asked, lower-case, without port. */
  host: string
  /** Scheme, host and port under which the request came: what a browser calls its origin. */
  ownOrigin: string
  /** Whether the visitor speaks HTTPS with us or with the trusted proxy before us. */
  secure: boolean
  /** The right-most untrusted hop. */
  clientAddress: string
  /** The account's device of this visitor, from a valid identity cookie. */
  deviceId: string | null
}
