import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** The public half of an ECDSA P-256 key (RFC 7517, RFC 7518 section 6.2), its members in the order of RFC 7638. */
export interface PublicJwk {
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
