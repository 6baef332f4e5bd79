/** A running server's note that an untrusted proxy forwards visitors to it (contract section 2). */
export interface UntrustedProxy {
  peer: string
  /** ISO 8601. */
  seenAt: string
}
