import type { OriginAllowlist } from '../account/origin-allowlist.ts'

/** What processing needs to know of an account. */
export interface ProcessedAccount {
  id: string
  /** IANA name: whose days a figure belongs to. */
  timezone: string
  /** Connected domains: visits from there come from nowhere. */
  domains: string[]
  /** Hosts whose pages may post: visits from there come from nowhere either. */
  origins: OriginAllowlist
}
