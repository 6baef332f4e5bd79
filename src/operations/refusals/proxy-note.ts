/** A running server's note that an untrusted proxy forwards visitors to it (docs/behind-a-proxy.md). */
export interface UntrustedProxy {
  peer: string
  /** ISO 8601. */
  seenAt: string
}
