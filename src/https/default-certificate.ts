import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { PairText } from './certificate-pair.ts'
import {
  bits,
  explicit,
  generalizedTime,
  implicitText,
  integer,
  objectIds,
  octets,
  sequence,
  set,
  utcTime,
  utf8,
} from './der.ts'

/** Reserved by RFC 2606, so nobody can own the name and it reveals no customer. */
const defaultCertificateName = 'capture.invalid'

/** RFC 5280 section 4.1: version 3 is written as 2. */
const version3 = Uint8Array.of(2)
const serialBytes = 16
/** Fixed, so that the certificate does not reveal when the box was started. */
const notBefore = '200101000000Z'
const notAfter = '99991231235959Z'

/**
 * A self-signed certificate (RFC 5280) for handshakes without a host, or with one that has no certificate, so that scanners
 * learn no customer's name. Its key lives as long as the process.
 */
export function makeDefaultCertificate(): PairText {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKeyInfo = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }))
  const algorithm = sequence(objectIds.ecdsaWithSha256)
  const name = sequence(set(sequence(objectIds.commonName, utf8(defaultCertificateName))))
  const dnsName = implicitText(2, defaultCertificateName)
  const body = sequence(
    explicit(0, integer(version3)),
    integer(serialOf(publicKeyInfo)),
    algorithm,
    name,
    sequence(utcTime(notBefore), generalizedTime(notAfter)),
    name,
    publicKeyInfo,
    explicit(3, sequence(sequence(objectIds.subjectAltName, octets(sequence(dnsName))))),
  )
  const certificate = sequence(body, algorithm, bits(new Uint8Array(sign('sha256', body, privateKey))))
  return {
    certificate: pem(certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Derived from the key, because Firefox rejects two certificates with the same serial number. */
function serialOf(publicKeyInfo: Uint8Array): Uint8Array {
  const serial = new Uint8Array(createHash('sha256').update(publicKeyInfo).digest()).slice(0, serialBytes)
  // Positive, and without a leading zero byte.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  return serial
}

const pem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toBase64().replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
