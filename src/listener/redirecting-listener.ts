import { proofPathPrefix } from '../https/name/name-proof.ts'
import { requestTarget } from '../lib/request-target.ts'
import { bare } from './answers.ts'
import { ArrivalReader } from './arrival.ts'
import { Entrance } from './entrance.ts'
import { failedRequest } from './failed-request.ts'
import type { Listener, ListenerBasics } from './listener.ts'
import type { ListenerParts } from './listener-parts.ts'
import type { PeerSource } from './peer-source.ts'
import { type BindAddress, serveOptions } from './serve-options.ts'
import { stopGently } from './stop-gently.ts'

/** Asked over plain HTTP by certificate authorities (RFC 8555 section 8.3), and by the box itself before them. */
const neverSentOn = ['/.well-known/acme-challenge/', proofPathPrefix]

export interface Redirection {
  /** Whether the host is served over https with a certificate of its own. */
  hasCertificate: (host: string) => boolean
  /** `null`: the port that https has anyway. */
  httpsPort: number | null
}

/**
 * Answers plain HTTP beside https: sends on who asks for a host that has a certificate, and serves any other's site.
 *
 * @param redirection `null`: nobody is sent on
 * @throws when the address is taken
 */
export function startRedirectingListener(
  basics: ListenerBasics,
  address: BindAddress,
  redirection: Redirection | null,
): Listener {
  const entrance = new Entrance(basics.gate, 'http')
  const failed = failedRequest(basics)
  const server = Bun.serve({
    ...serveOptions(address),
    error: (error) => failed(error),
    fetch: (request, server) => entrance.answer(request, server),
  })
  return {
    port: server.port ?? address.port,
    lead: (parts) => entrance.lead(parts, redirection === null ? undefined : toHttps(parts, redirection)),
    drain: () => entrance.drain(),
    stop: (graceMs) => stopGently(server, graceMs),
  }
}

function toHttps(parts: ListenerParts, { hasCertificate, httpsPort }: Redirection) {
  const { clock, requests } = parts
  const arrivals = new ArrivalReader(parts, 'http')
  const figures = requests.of('redirect')
  const port = httpsPort === null ? '' : `:${httpsPort}`
  return (request: Request, server: PeerSource): Response | null => {
    const startedMs = clock.monotonicMs()
    const arrival = arrivals.read(request, server)
    // A visitor of a trusted proxy may be on https already.
    if (arrival === null || arrival.secure || !hasCertificate(arrival.host)) return null
    const target = requestTarget(request)
    if (neverSentOn.some((prefix) => target.startsWith(prefix))) return null
    figures.note(308, clock.monotonicMs() - startedMs)
    // The method and the body go along (RFC 9110 section 15.4.9). Not remembered: the certificate may be taken away.
    return bare(308, { location: `https://${arrival.host}${port}${target}` })
  }
}
