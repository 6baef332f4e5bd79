import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { type PairText, readCertificate } from '../certificate-pair.ts'
import { bits, explicit, implicitText, integer, objectIds, octets, sequence, set } from '../der.ts'
import type { AcmeConnection } from './acme-connection.ts'
import type { OrderRequest } from './authority.ts'
import { type AccountSigner, authorize, pollUntilDone } from './authorization.ts'
import { AcmeProblem } from './problem.ts'
import {
  type Answer,
  asMembers,
  isHttps,
  locationOf,
  type Members,
  membersOf,
  statedProblem,
  textIn,
  textsIn,
  unintelligible,
  urlIn,
} from './transport.ts'

/** One host needs one authorization. */
const authorizationsMax = 10

interface PlacedOrder {
  url: string
  members: Members
}

/** Orders a certificate and returns its chain (RFC 8555 section 7.4). */
export async function orderCertificate(
  connection: AcmeConnection,
  signer: AccountSigner,
  request: OrderRequest,
  signal: AbortSignal,
): Promise<PairText> {
  const order = await placeOrder(connection, signer, request, signal)
  if (textIn(order.members, 'status') === 'pending') {
    for (const url of authorizationsOf(order)) {
      await authorize(connection, { url, host: request.host, answers: request.answers, signer }, signal)
    }
  }
  const ready = await settled(connection, signer, order.url, ['pending'], signal)
  const { key, request: csr } = makeCertificateRequest(request.host)
  const issued = await finalize(connection, signer, { url: order.url, members: ready }, csr, signal)
  const certificateUrl = urlIn(issued, 'certificate', `the finished order ${order.url}`)
  return issuedPair(await connection.read(certificateUrl, signer, signal), key, request.host)
}

/**
 * Places an order. If the authority rejects `replaces`, because the certificate was already replaced or is unknown to this
 * account, places it without: a renewal must not fail for that.
 */
async function placeOrder(
  connection: AcmeConnection,
  signer: AccountSigner,
  { host, profile, replaces }: OrderRequest,
  signal: AbortSignal,
): Promise<PlacedOrder> {
  const { newOrder } = await connection.directory(signal)
  const payload = { identifiers: [{ type: 'dns', value: host }], ...(profile === '' ? {} : { profile }) }
  const place = async (added: object): Promise<PlacedOrder> => {
    const answer = await connection.post(newOrder, { ...payload, ...added }, signer, signal)
    return { url: locationOf(answer), members: membersOf(answer) }
  }
  const isAboutReplaced = (error: unknown): boolean =>
    error instanceof AcmeProblem &&
    (['alreadyReplaced', 'refused'].includes(error.kind) || (error.status === 500 && error.type !== ''))
  try {
    if (replaces === null) return await place({})
    return await place({ replaces }).catch((error) => {
      if (isAboutReplaced(error)) return place({})
      throw error
    })
  } catch (error) {
    throw await withAccountLookedAt(connection, signer, error, signal)
  }
}

/** Checks the account after `unauthorized`, which may mean that the account was deactivated. */
async function withAccountLookedAt(
  connection: AcmeConnection,
  signer: AccountSigner,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof AcmeProblem) || error.kind !== 'refused' || !error.type.endsWith(':unauthorized')) return error
  try {
    const { status } = membersOf(await connection.read(signer.kid, signer, signal))
    return status === 'valid' ? error : error.as('accountGone')
  } catch (fault) {
    const isGone = fault instanceof AcmeProblem && ['accountGone', 'refused'].includes(fault.kind)
    return isGone ? error.as('accountGone') : error
  }
}

function authorizationsOf({ url, members }: PlacedOrder): string[] {
  const urls = textsIn(members, 'authorizations')
  if (urls.length === 0 || urls.length > authorizationsMax || !urls.every(isHttps)) {
    throw unintelligible(`the order ${url} has no list of authorizations that can be used`)
  }
  return urls
}

/** Finalizes the order and waits until the certificate is issued. */
async function finalize(
  connection: AcmeConnection,
  signer: AccountSigner,
  { url, members }: PlacedOrder,
  csr: Uint8Array,
  signal: AbortSignal,
): Promise<Members> {
  try {
    const finalizeUrl = urlIn(members, 'finalize', `the order ${url}`)
    await connection.post(finalizeUrl, { csr: Buffer.from(csr).toString('base64url') }, signer, signal)
  } catch (error) {
    // The request may have arrived although its answer was lost: the order's status decides.
    if (!(error instanceof AcmeProblem) || error.kind !== 'unreachable') throw error
    const after = await settled(connection, signer, url, ['processing'], signal)
    if (textIn(after, 'status') === 'valid') return after
    throw error
  }
  const done = await settled(connection, signer, url, ['processing', 'ready'], signal)
  if (textIn(done, 'status') === 'valid') return done
  throw unintelligible(`the order ${url} is "${textIn(done, 'status')}" after it was finalized`)
}

/**
 * Polls the order's own URL until its status changes, even after a lost answer.
 *
 * @throws AcmeProblem with the order's `error` when it becomes invalid
 */
async function settled(
  connection: AcmeConnection,
  signer: AccountSigner,
  url: string,
  whileStatus: string[],
  signal: AbortSignal,
): Promise<Members> {
  const members = await pollUntilDone(connection, { url, what: 'The order', signer, whileStatus }, signal)
  if (textIn(members, 'status') !== 'invalid') return members
  const problem = statedProblem(asMembers(members.error) ?? { detail: 'the order has become invalid' })
  throw problem.kind === 'refused' ? problem.as('rejected') : problem
}

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
