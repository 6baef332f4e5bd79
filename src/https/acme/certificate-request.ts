import { generateKeyPairSync, sign } from 'node:crypto'
import { bits, explicit, implicitText, integer, objectIds, octets, sequence, set } from '../der.ts'

/** A fresh private key, and the request to certify it. */
interface CertificateRequest {
  /** PEM (PKCS #8), ECDSA P-256. */
  key: string
  /** DER. */
  request: Uint8Array
}

/** RFC 2986 section 4.1: version 1 is written as 0. */
const version1 = Uint8Array.of(0)

/**
 * A certificate signing request (RFC 2986) for one host. The host is only in the alternative name (RFC 8555 section 7.4),
 * because a common name is limited to 64 characters.
 */
export function makeCertificateRequest(host: string): CertificateRequest {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = sequence(sequence(objectIds.subjectAltName, octets(sequence(implicitText(2, host)))))
  const body = sequence(
    integer(version1),
    sequence(),
    new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
    explicit(0, sequence(objectIds.extensionRequest, set(names))),
  )
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    request: sequence(
      body,
      sequence(objectIds.ecdsaWithSha256),
      bits(new Uint8Array(sign('sha256', body, privateKey))),
    ),
  }
}
