const noncesMax = 64
/** RFC 8555 section 6.5.1: base64url; anything else is to be ignored. */
const noncePattern = /^[A-Za-z0-9_-]{1,256}$/

/** The nonce that came with an answer, if it is one. */
export function nonceIn(headers: Headers): string | null {
  const nonce = headers.get('replay-nonce') ?? ''
  return noncePattern.test(nonce) ? nonce : null
}

/** Nonces of one authority (RFC 8555 section 6.5), each good once. The newest goes first: old ones may be forgotten there. */
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
