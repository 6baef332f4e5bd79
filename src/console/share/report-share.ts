import type { TypedPeriod } from '../../operations/report/typed-period.ts'

/** A link by which anybody sees the figures of one report, without signing in. */
export interface ReportShare {
  /** 32 hexadecimal digits; see share-token.ts. */
  id: string
  accountId: string
  /** As it was written: an age is counted from the day on which somebody looks. */
  period: TypedPeriod
  /** Epoch milliseconds, as are the others. */
  createdAt: number
  expiresAt: number
  /** `null`: the link works until it expires. */
  revokedAt: number | null
}

/** The links that were made. Those of an account go with it. */
export interface ReportShares {
  add(share: ReportShare): Promise<void>
  /** `null`: there is none of that id, or its account was removed. */
  find(id: string): Promise<ReportShare | null>
  /** Those of an account that work at the instant, latest first. */
  working(accountId: string, now: number): Promise<ReportShare[]>
  /** Ends one of the account's at once; `false`: it has none of that id that works. */
  revoke(accountId: string, id: string, now: number): Promise<boolean>
  /** Erases those that have expired by then, or were revoked. */
  eraseOver(now: number): Promise<void>
}
