import { createPrivateKey } from 'node:crypto'
import { type PairText, readCertificate } from '../certificate-pair.ts'
import { type Answer, unintelligible } from './transport.ts'

const certificatePattern = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const certificatesMax = 10

/**
 * Combines the authority's chain (RFC 8555 section 7.4.2) with its key. Keeps only the certificates of the file.
 *
 * @throws AcmeProblem `unintelligible` when the answer is not a chain, or is for another key or host
 */
export function issuedPair(answer: Answer, key: string, host: string): PairText {
  const blocks = answer.text.match(certificatePattern) ?? []
  const [leaf] = blocks.slice(0, certificatesMax).map(readCertificate)
  if (leaf === undefined || leaf === null || blocks.length > certificatesMax) {
    throw unintelligible(`${answer.url} did not send a chain of certificates (PEM)`, answer.status)
  }
  if (!leaf.checkPrivateKey(createPrivateKey(key))) {
    throw unintelligible(`${answer.url} sent a certificate for another key than the one it was asked to certify`)
  }
  if (leaf.checkHost(host, { subject: 'never' }) === undefined) {
    throw unintelligible(`${answer.url} sent a certificate for ${leaf.subjectAltName ?? 'no host'} instead of ${host}`)
  }
  return { certificate: `${blocks.join('\n')}\n`, key }
}
