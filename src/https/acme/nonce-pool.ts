const noncesMax = 64
/** RFC 8555 section 6.5.1: base64url; anything else must be ignored. */
const noncePattern = /^[A-Za-z0-9_-]{1,256}$/

/** The nonce of an answer; `null`: missing or malformed. */
export function nonceIn(headers: Headers): string | null {
  const nonce = headers.get('replay-nonce') ?? ''
  return noncePattern.test(nonce) ? nonce : null
}

/** Single-use nonces of one authority (RFC 8555 section 6.5). Uses the newest first, since the authority may forget old ones. */
export class NoncePool {
  private readonly nonces: string[] = []

  keep(nonce: string | null): void {
    if (nonce === null) return
    this.nonces.push(nonce)
    if (this.nonces.length > noncesMax) this.nonces.shift()
  }

  take(): string | null {
    return this.nonces.pop() ?? null
  }
}
