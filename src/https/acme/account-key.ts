import { createHash, createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** The public half of an ECDSA P-256 key (RFC 7517, RFC 7518 section 6.2), its members in the order of RFC 7638. */
interface PublicJwk {
  crv: 'P-256'
  kty: 'EC'
  x: string
  y: string
}

/** An account's key, read once. */
export interface AccountKey {
  privateKey: KeyObject
  jwk: PublicJwk
  /** RFC 7638, of the public half. */
  thumbprint: string
}

/** A new key for an account: PEM (PKCS #8), ECDSA P-256. */
export const newAccountKey = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey

/** @throws when the text is no PEM of an ECDSA P-256 key */
export function readAccountKey(pem: string): AccountKey {
  const privateKey = createPrivateKey(pem)
  const { crv, x, y } = privateKey.export({ format: 'jwk' })
  if (crv !== 'P-256' || x === undefined || y === undefined) throw new Error('An account key is an ECDSA P-256 key')
  const jwk: PublicJwk = { crv, kty: 'EC', x, y }
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')
  return { privateKey, jwk, thumbprint }
}

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
