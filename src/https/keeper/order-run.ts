import { renewalId } from '../acme/renewal-id.ts'
import { certificateFacts, checkedPair, nearestValid, type PairText } from '../certificate-pair.ts'
import type { KeptCertificate, KeptName } from '../kept-name.ts'
import { type AuthorityAccounts, accountLoss } from './authorities.ts'
import { type OrderFailure, orderFailure } from './order-failure.ts'
import type { KeeperParts } from './parts.ts'
import { plainRenewal } from './renewal-windows.ts'
import { authorityName, type OrderTarget } from './targets.ts'

/** Longer than all of the client's own limits. */
const orderMsMax = 15 * 60_000

export type OrderEnd = { pair: PairText } | { failure: OrderFailure }

interface OrderContext {
  parts: Pick<KeeperParts, 'store' | 'authority' | 'answers' | 'profile' | 'clock' | 'directories'>
  accounts: AuthorityAccounts
  /** Aborts the order. */
  stopping: AbortSignal
}

/** Orders a certificate for a name and checks that it is usable. Throws only when aborted. */
export async function runOrder(name: KeptName, target: OrderTarget, context: OrderContext): Promise<OrderEnd> {
  const { parts, stopping } = context
  const { directory } = target
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(orderMsMax)])
  try {
    const pair = await ordered(name, target, context, signal)
    // The machine's clock may be slightly behind the authority's.
    const now = parts.clock.now()
    const verdict = checkedPair(name.host, pair, Math.max(now, nearestValid(pair, now)))
    return 'fault' in verdict ? { failure: unusable(verdict.fault, target) } : { pair }
  } catch (error) {
    stopping.throwIfAborted()
    const loss = accountLoss(error)
    if (loss !== null) await context.accounts.lost(directory, loss)
    return { failure: orderFailure(error, target, parts.directories.staging !== null) }
  }
}

async function ordered(
  name: KeptName,
  { directory, isTrial }: OrderTarget,
  { parts, accounts }: OrderContext,
  signal: AbortSignal,
): Promise<PairText> {
  const { host } = name
  const account = await accounts.at(directory, signal)
  const replaces = isTrial ? null : await replacedBy(name, directory, parts)
  return account.order({ host, profile: isTrial ? '' : parts.profile, replaces, answers: parts.answers }, signal)
}

/** The certificate that this directory issued and the new one replaces (RFC 9773 section 5); `null`: none. */
async function replacedBy(
  { host, certificate }: KeptName,
  directory: string,
  { store, authority }: Pick<KeeperParts, 'store' | 'authority'>,
): Promise<string | null> {
  if (!isAnnounced(certificate, directory) || !(await authority(directory).offer()).tellsRenewal) return null
  const before = await store.read(host)
  return before === null || 'fault' in before ? null : renewalId(before.certificate)
}

/** Whether an order names the certificate that it replaces and so is exempt from the authority's limits. */
export const isAnnounced = (certificate: KeptName['certificate'], directory: string): boolean =>
  certificate !== null && certificate.directory === directory && certificate.renewal.window !== null

const unusable = (fault: string, { directory, isTrial }: OrderTarget): OrderFailure => ({
  state: 'failing',
  reason: `The certificate that came from ${authorityName(directory)} cannot be used: ${fault}.`,
  retryAfterMs: null,
  isTrial,
  outcome: 'unusable',
  isOfAuthority: false,
})

/** The stored form of a new certificate. Its renewal follows from the lifetime until the authority is asked for a window, which is due at once. */
export function issuedCertificate(chain: string, directory: string, now: number): KeptCertificate {
  const facts = certificateFacts(chain)
  return { ...facts, ...plainRenewal(facts, now), renewal: { window: null, askAt: now }, directory }
}
