import { trimmedOf } from '../../lib/trimmed.ts'

/**
 * `dns-persist-01` (draft-ietf-acme-dns-persist): one permanent TXT record allows an account to get certificates for a host.
 * Its value has the form of a CAA `issue` value (RFC 8659 section 4.2).
 */

export const persistRecordName = (host: string): string => `_validation-persist.${host}`

/** The record for this account and authority, named by one of its `issuer-domain-names` or CAA identities. */
export const persistRecordValue = (issuer: string, accountUrl: string): string => `${issuer}; accounturi=${accountUrl}`

interface Wanted {
  /** The authority's names. */
  issuers: readonly string[]
  accountUrl: string
  now: number
}

/** Whether a record allows this account to get a certificate now. Malformed records do not. */
export function persistRecordFits(record: string, { issuers, accountUrl, now }: Wanted): boolean {
  const [issuer = '', ...rest] = record.split(';').map(trimmed)
  if (!issuers.includes(issuer.toLowerCase())) return false
  const parameters = readParameters(rest)
  if (parameters === null || parameters.get('accounturi') !== accountUrl) return false
  const until = parameters.get('persistuntil')
  return until === undefined || (/^\d{1,12}$/.test(until) && now <= Number(until) * 1000)
}

/** `null`: a parameter is malformed or repeated. */
function readParameters(texts: string[]): Map<string, string> | null {
  const parameters = new Map<string, string>()
  for (const text of texts) {
    const equals = text.indexOf('=')
    const name = trimmed(text.slice(0, Math.max(equals, 0))).toLowerCase()
    const value = trimmed(text.slice(equals + 1))
    if (name === '' || parameters.has(name) || !/^[\x21-\x3a\x3c-\x7e]*$/.test(value)) return null
    parameters.set(name, value)
  }
  return parameters
}

const trimmed = (text: string): string => trimmedOf(' \t', text)
