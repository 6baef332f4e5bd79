import { proofPathPrefix } from '../../https/name/name-proof.ts'
import { requestTarget } from '../../lib/request-target.ts'
import { bare } from '../answer/answers.ts'
import { ArrivalReader } from '../arrival.ts'
import { type BindAddress, type Listener, type ListenerBasics, startListener } from '../listener.ts'
import type { ListenerParts } from '../listener-parts.ts'
import type { EarlyAnswering } from '../request-handler.ts'
import { overBudget } from '../router.ts'

/** Paths for certificate authorities (RFC 8555 section 8.3) and for the box's own check, always over plain HTTP. */
const neverSentOn = ['/.well-known/acme-challenge/', proofPathPrefix]

export interface Redirection {
  /** Whether the host is served over https with a certificate of its own. */
  hasCertificate: (host: string) => boolean
  /** `null`: the default port of https. */
  httpsPort: number | null
}

/**
 * Answers plain HTTP beside https: redirects requests for a host with a certificate, and serves the site of any other host.
 *
 * @param redirection `null`: no redirects
 * @throws when the address is taken
 */
export function startRedirectingListener(
  basics: ListenerBasics,
  address: BindAddress,
  redirection: Redirection | null,
): Listener {
  return startListener(basics, address, redirection === null ? undefined : (parts) => toHttps(parts, redirection))
}

function toHttps(parts: ListenerParts, { hasCertificate, httpsPort }: Redirection): EarlyAnswering {
  const { clock, requests } = parts
  const arrivals = new ArrivalReader(parts, 'http')
  const figures = requests.of('redirect')
  const port = httpsPort === null ? '' : `:${httpsPort}`
  return (request, server) => {
    const startedMs = clock.monotonicMs()
    const arrival = arrivals.read(request, server)
    // A visitor behind a trusted proxy may already use https.
    if (arrival === null || arrival.secure || !hasCertificate(arrival.host)) return null
    const target = requestTarget(request)
    if (neverSentOn.some((prefix) => target.startsWith(prefix))) return null
    const answer = overBudget(arrival, parts) ?? sentOn(`https://${arrival.host}${port}${target}`)
    figures.note(answer.status, clock.monotonicMs() - startedMs)
    return answer
  }
}

/** Keeps method and body (RFC 9110 section 15.4.9). Not cacheable, since the certificate may go away. */
const sentOn = (location: string): Response => bare(308, { location })
