const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before the answer was complete',
  ENOTFOUND: 'the name is not known',
  EPROTO: 'no TLS on this port',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not from an authority trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not from an authority trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not from an authority trusted here',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not from an authority trusted here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

/** Why `fetch` failed, as the end of a sentence, since Bun's own words are for programmers; `null`: another reason. */
export function connectionFault(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return faults[code] ?? null
}
