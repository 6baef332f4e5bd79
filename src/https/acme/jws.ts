import { createHmac, sign } from 'node:crypto'
import type { AccountKey, PublicJwk } from './account-key.ts'

/** The signer: a key without an account, or an account by its URL. */
export type Signer = { key: AccountKey; kid: string | null }

/** RFC 7515 section 7.2.2, flattened. */
interface FlattenedJws {
  protected: string
  payload: string
  signature: string
}

/** A signed request (RFC 8555 section 6.2): ES256, with a JSON payload, or empty for POST-as-GET. */
export function signedRequest(url: string, payload: object | '', nonce: string, { key, kid }: Signer): string {
  const header = { alg: 'ES256', nonce, url, ...(kid === null ? { jwk: key.jwk } : { kid }) }
  const parts = encoded(header, payload)
  const options = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const
  return JSON.stringify({ ...parts, signature: sign('sha256', inputOf(parts), options).toString('base64url') })
}

/** An external account binding (RFC 8555 section 7.3.4): HS256 over the account's public key. */
export function externalBinding(newAccountUrl: string, jwk: PublicJwk, kid: string, hmac: Uint8Array): FlattenedJws {
  const parts = encoded({ alg: 'HS256', kid, url: newAccountUrl }, jwk)
  return { ...parts, signature: createHmac('sha256', hmac).update(inputOf(parts)).digest('base64url') }
}

const encoded = (header: object, payload: object | '') => ({
  protected: Buffer.from(JSON.stringify(header)).toString('base64url'),
  payload: payload === '' ? '' : Buffer.from(JSON.stringify(payload)).toString('base64url'),
})

const inputOf = ({ protected: header, payload }: { protected: string; payload: string }): Uint8Array =>
  new TextEncoder().encode(`${header}.${payload}`)
