import { X509Certificate } from 'node:crypto'

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
