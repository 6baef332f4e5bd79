import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

/** A certificate chain and its private key, both PEM. */
export interface PairText {
  certificate: string
  key: string
}

/** A pair that a listener can use for this host. */
export interface CertificatePair extends PairText {
  /** Lower-case, IDN as punycode. */
  host: string
  expiresAt: number
}

export type PairVerdict = { pair: CertificatePair } | { fault: string }

/**
 * Checks a pair as strictly as a handshake does, because a bad pair would stop the listener for every other name. `fault`
 * continues a sentence that names the host.
 *
 * @param now epoch milliseconds
 */
export function checkedPair(host: string, text: PairText, now: number): PairVerdict {
  const leaf = readCertificate(text.certificate)
  if (leaf === null) return { fault: 'the certificate is not PEM ("-----BEGIN CERTIFICATE-----")' }
  const key = readKey(text.key)
  if (key === null) {
    return {
      fault: 'the private key is not PEM without a passphrase ("-----BEGIN PRIVATE KEY-----"), or of an unknown kind',
    }
  }
  if (!leaf.checkPrivateKey(key)) {
    return {
      fault:
        "the private key does not belong to the certificate; the host's own certificate must be the first in its file",
    }
  }
  const fault = keyFault(key) ?? nameFault(leaf, host) ?? validityFault(leaf, now) ?? chainFault(text)
  return fault === null ? { pair: { host, expiresAt: leaf.validToDate.getTime(), ...text } } : { fault }
}

/** Why a formerly valid certificate is no longer valid; `null`: it is. */
export function expiryFault({ certificate }: PairText, now: number): string | null {
  const leaf = readCertificate(certificate)
  return leaf === null ? null : validityFault(leaf, now)
}

/** The instant nearest to `now` at which the certificate is valid; `now` if it cannot be read. */
export function nearestValid({ certificate }: PairText, now: number): number {
  const leaf = readCertificate(certificate)
  return leaf === null ? now : Math.min(Math.max(now, leaf.validFromDate.getTime()), leaf.validToDate.getTime())
}

/** `null`: it is none. */
export function readCertificate(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text)
  } catch {
    return null
  }
}

function readKey(text: string): KeyObject | null {
  try {
    return createPrivateKey(text)
  } catch {
    return null
  }
}

/** Chrome and Safari accept no other curves and no Ed25519. A handshake with a short RSA key fails. */
const curves = ['prime256v1', 'secp384r1']
const rsaBitsMin = 2048

function keyFault({ asymmetricKeyType: kind, asymmetricKeyDetails: details }: KeyObject): string | null {
  const { namedCurve = '', modulusLength = 0 } = details ?? {}
  if ((kind === 'ec' && curves.includes(namedCurve)) || (kind === 'rsa' && modulusLength >= rsaBitsMin)) return null
  const found = kind === 'rsa' ? `RSA with ${modulusLength} bits` : namedCurve || kind
  return `browsers do not accept its kind of key (${found}); replace it by ECDSA P-256, or RSA with 2048 bits or more`
}

function nameFault(leaf: X509Certificate, host: string): string | null {
  if (leaf.checkHost(host, { subject: 'never' }) !== undefined) return null
  return `the certificate is for ${leaf.subjectAltName?.replaceAll('DNS:', '') ?? 'no host'}`
}

function validityFault({ validFromDate, validToDate }: X509Certificate, now: number): string | null {
  if (now < validFromDate.getTime()) return `the certificate is not valid before ${validFromDate.toISOString()}`
  if (now > validToDate.getTime()) return `the certificate expired at ${validToDate.toISOString()}`
  return null
}

/** Checks the rest of the chain and the TLS library's own requirements, such as key strength. */
function chainFault({ certificate, key }: PairText): string | null {
  try {
    createSecureContext({ cert: certificate, key })
    return null
  } catch {
    return 'the certificates after the first, or the kind of the key, cannot be used for TLS'
  }
}

/** Public facts of a certificate. Instants are epoch milliseconds. */
export interface CertificateFacts {
  /** Organisation and name of the issuer, such as `Let's Encrypt E7`. */
  issuer: string
  /** Lower-case hex. */
  serial: string
  notBefore: number
  notAfter: number
}

/** @param certificate PEM; the first one of a chain. @throws when it is not a certificate */
export function certificateFacts(certificate: string): CertificateFacts {
  const leaf = new X509Certificate(certificate)
  return {
    issuer: issuerName(leaf.issuer),
    serial: leaf.serialNumber.toLowerCase(),
    notBefore: leaf.validFromDate.getTime(),
    notAfter: leaf.validToDate.getTime(),
  }
}

/** The runtime writes one attribute per line. */
function issuerName(issuer: string | undefined): string {
  const lines = (issuer ?? '').split('\n')
  const attributeOf = (attribute: string) =>
    lines.find((line) => line.startsWith(`${attribute}=`))?.slice(attribute.length + 1)
  return (
    [attributeOf('O'), attributeOf('CN')].filter((part) => part !== undefined).join(' ') || 'an issuer without a name'
  )
}
