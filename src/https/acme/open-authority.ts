import { type Clock, systemClock } from '../../lib/clock.ts'
import { readAccountKey } from './account-key.ts'
import { accountUrlOf } from './accounts.ts'
import { AcmeConnection } from './acme-connection.ts'
import type { AccountRequest, Authority, AuthorityAccount } from './authority.ts'
import { type AcmeLimits, defaultLimits } from './limits.ts'
import { orderCertificate } from './ordering.ts'
import { type Pause, timedPause } from './pause.ts'
import { readRenewalInfo } from './renewal-info.ts'
import { Transport } from './transport.ts'

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
