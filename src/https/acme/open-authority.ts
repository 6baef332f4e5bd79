import { type Clock, systemClock } from '../../lib/clock.ts'
import { retryAfterMs } from '../../lib/exchange.ts'
import { trimmedOf } from '../../lib/trimmed.ts'
import { type AccountKey, externalBinding, readAccountKey } from './account-key.ts'
import { AcmeConnection, type AcmeLimits, defaultLimits, type Pause, timedPause } from './acme-connection.ts'
import type { AccountRequest, Authority, AuthorityAccount, RenewalInfo } from './authority.ts'
import { orderCertificate } from './ordering.ts'
import { AcmeProblem, type AcmeProblemKind } from './problem.ts'
import { renewalId } from './renewal-id.ts'
import {
  type Answer,
  asMembers,
  locationOf,
  membersOf,
  problemOf,
  Transport,
  textIn,
  unintelligible,
} from './transport.ts'

export interface AuthorityParts {
  /** An https URL (`knownDirectories` has some). */
  directoryUrl: string
  /** PEM of additional trusted roots for its server's certificate; `null`: none. */
  trusted: string | null
  /** RFC 8555 section 6.1: the User-Agent, such as `capture/0.2.0`. */
  userAgent: string
  clock?: Clock
  pause?: Pause
  limits?: Partial<AcmeLimits>
}

/**
 * Opens a client for a certificate authority. The client sends nothing until used, stores nothing on disk, and shares its
 * nonces among all requests: open one per directory.
 *
 * @throws when `trusted` contains no certificate
 */
export function openAuthority(parts: AuthorityParts): Authority {
  const { directoryUrl, trusted, userAgent, clock = systemClock, pause = timedPause } = parts
  const limits = { ...defaultLimits, ...parts.limits }
  const transport = new Transport({ trusted, userAgent, requestMsMax: limits.requestMsMax })
  const connection = new AcmeConnection({ directoryUrl, transport, clock, pause, limits })
  const never = new AbortController().signal
  return {
    directoryUrl,
    offer: async (signal = never) => (await connection.directory(signal)).offer,
    renewalInfo: (certificate, signal = never) => readRenewalInfo(connection, certificate, signal),
    account: (request, signal = never) => openAccount(connection, request, signal),
  }
}

async function openAccount(
  connection: AcmeConnection,
  { key: pem, url: known, ...request }: AccountRequest,
  signal: AbortSignal,
): Promise<AuthorityAccount> {
  const key = readAccountKey(pem)
  const url = known ?? (await accountUrlOf(connection, key, request, signal))
  return {
    url,
    keyThumbprint: key.thumbprint,
    order: (order, orderSignal = new AbortController().signal) =>
      orderCertificate(connection, { key, kid: url }, order, orderSignal),
  }
}

/** RFC 9773 section 4.3.2: six hours without a `Retry-After`, which is clamped to these limits. */
const retryMs = { default: 21_600_000, min: 60_000, max: 86_400_000 }

/** The authority's renewal window for this certificate (RFC 9773 section 4); `null`: it has none. */
async function readRenewalInfo(
  connection: AcmeConnection,
  certificate: string,
  signal: AbortSignal,
): Promise<RenewalInfo | null> {
  const { renewalInfo } = await connection.directory(signal)
  const id = renewalId(certificate)
  if (renewalInfo === null || id === null) return null
  const answer = await connection.get(`${renewalInfo.replace(/\/$/, '')}/${id}`, signal)
  // Another authority's certificate, or one from before the authority supported this.
  if (answer.status === 404) return null
  const now = connection.parts.clock.now()
  if (answer.status !== 200) throw problemOf(answer, now)
  const window = asMembers(membersOf(answer).suggestedWindow) ?? {}
  const [startMs, endMs] = [instantOf(textIn(window, 'start')), instantOf(textIn(window, 'end'))]
  if (!(startMs < endMs)) throw unintelligible(`${answer.url} suggests no window in which to renew`, answer.status)
  const asked = retryAfterMs(answer.headers.get('retry-after'), now) ?? retryMs.default
  return { startMs, endMs, retryAfterMs: Math.min(Math.max(asked, retryMs.min), retryMs.max) }
}

/** RFC 3339; `NaN`: not an instant. */
const instantOf = (text: string): number => (/^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN)

/**
 * The URL of this key's account at the authority, or of a new one (RFC 8555 sections 7.3 and 7.3.1). It looks for an existing
 * account first, because some authorities accept the credentials of an external binding only once.
 */
async function accountUrlOf(
  connection: AcmeConnection,
  key: AccountKey,
  request: Omit<AccountRequest, 'key' | 'url'>,
  signal: AbortSignal,
): Promise<string> {
  const { newAccount } = await connection.directory(signal)
  const ask = (payload: object): Promise<Answer> => connection.post(newAccount, payload, { key, kid: null }, signal)
  const found = await ask({ onlyReturnExisting: true }).catch(nullWhereUnknown)
  if (found !== null) return locationOf(found)
  const { contact, externalBinding: binding } = request
  const made = await ask({
    termsOfServiceAgreed: true,
    ...(contact === '' ? {} : { contact: [`mailto:${contact}`] }),
    ...(binding === null
      ? {}
      : { externalAccountBinding: externalBinding(newAccount, key.jwk, binding.kid, hmacBytes(binding.hmac)) }),
  }).catch((error) => {
    // The account key has just signed a successful request, so a bad signature is the binding's.
    throw binding === null ? error : withKind(error, ['refused', 'badSignature'], 'externalBindingRefused')
  })
  return locationOf(made)
}

/** Authorities report a missing account differently. Only a deactivated one must not be replaced. */
function nullWhereUnknown(error: unknown): null {
  const isUnknown =
    error instanceof AcmeProblem && ['accountGone', 'externalBindingRequired', 'refused'].includes(error.kind)
  if (isUnknown && !error.type.endsWith(':unauthorized')) return null
  throw withKind(error, ['refused'], 'keyRefused')
}

function withKind(error: unknown, from: AcmeProblemKind[], to: AcmeProblemKind): unknown {
  return error instanceof AcmeProblem && from.includes(error.kind) ? error.as(to) : error
}

/** Authorities issue base64url; some consoles show it with padding or as base64. */
function hmacBytes(text: string): Uint8Array {
  const plain = trimmedOf('=', text.trim()).replaceAll('+', '-').replaceAll('/', '_')
  try {
    const bytes = Uint8Array.fromBase64(plain, { alphabet: 'base64url' })
    if (bytes.length > 0) return bytes
  } catch {
    // The same fault as an empty one.
  }
  throw new AcmeProblem({
    kind: 'externalBindingRefused',
    detail: 'the HMAC key is not base64url: copy it again from where the authority shows it',
  })
}
