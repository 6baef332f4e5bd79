/**
 * The body of an answer as text; `null`: it has more bytes. No more of it is read then.
 *
 * @param decoder UTF-8 with replacement characters, if absent
 */
export async function boundedText(
  response: Response,
  bytesMax: number,
  decoder = new TextDecoder(),
): Promise<string | null> {
  let text = ''
  let byteCount = 0
  for await (const chunk of response.body ?? []) {
    byteCount += chunk.byteLength
    // Leaving the loop cancels the body.
    if (byteCount > bytesMax) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

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

const headerCharactersMax = 100
const retryAfterMsMax = 7 * 86_400_000

/**
 * The wait of a `Retry-After` header (RFC 9110 section 10.2.3: seconds or a date), at most a week.
 *
 * @param now epoch milliseconds
 * @returns `null`: missing or malformed
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.length > headerCharactersMax) return null
  const isSeconds = /^\s*\d+\s*$/.test(header)
  // `Date.parse` accepts many texts as dates, such as "-5".
  const isDate = /^\s*[a-z]{3,9}, .*GMT\s*$/i.test(header)
  const ms = isSeconds ? Number(header) * 1000 : isDate ? Date.parse(header) - now : Number.NaN
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), retryAfterMsMax)
}
