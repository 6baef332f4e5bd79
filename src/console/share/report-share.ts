import type { TypedPeriod } from '../../operations/report/report-period.ts'

/** A link that shows anybody the figures of one report without signing in. */
export interface ReportShare {
  /** 32 hexadecimal digits; see share-token.ts. */
  id: string
  accountId: string
  /** The period as written: an age counts from the day on which somebody opens the link. */
  period: TypedPeriod
  /** Epoch milliseconds, like the other instants. */
  createdAt: number
  expiresAt: number
  /** `null`: the link is valid until it expires. */
  revokedAt: number | null
  /** The link ends with that token; `null`: a user made it. */
  makerTokenId: string | null
}

/** The links. Removing an account deletes its links. */
export interface ReportShares {
  add(share: ReportShare): Promise<void>
  /** `null`: there is no such link, or its account was removed. */
  find(id: string): Promise<ReportShare | null>
  /** The account's links that are valid at the instant, latest first. */
  working(accountId: string, now: number): Promise<ReportShare[]>
  /** Revokes a link of the account at once; `false`: the account has no such valid link. */
  revoke(accountId: string, id: string, now: number): Promise<boolean>
  /** Deletes links that have expired by then or were revoked. */
  eraseOver(now: number): Promise<void>
}
