/** What a running server noted: a proxy that it does not trust passes visitors on to it (contract section 2). */
export interface UntrustedProxy {
  peer: string
  /** ISO 8601. */
  seenAt: string
}
