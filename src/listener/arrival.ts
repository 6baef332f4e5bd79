import type { LiveSite } from '../asset/live-site.ts'
import { canonicalAddress, clientAddress, isPrivateAddress, isTrustedProxy } from '../lib/ip.ts'
import { HostReader, type NamedHost } from './host.ts'
import type { ListenerParts } from './listener-parts.ts'

/** What the listener needs of Bun's server. */
export interface PeerSource {
  requestIP(request: Request): { address: string } | null
  timeout(request: Request, seconds: number): void
}

/** A request as it arrived, before any route looks at it. */
export interface Arrival {
  request: Request
  /** The host that was asked, lower-case, without port. */
  host: string
  /** Scheme, host and port under which the visitor reached us. */
  ownOrigin: string
  secure: boolean
  clientAddress: string
}

/** An arrival on a connected domain. */
export interface SiteArrival extends Arrival {
  site: LiveSite
}

const unknownPeer = '0.0.0.0'

/** Reads who asks for what, believing forwarding headers only from trusted proxies (contract section 2). */
export class ArrivalReader {
  private readonly hosts = new HostReader()
  private readonly trustsSomebody: boolean
  private warned = false

  constructor(private readonly parts: ListenerParts) {
    this.trustsSomebody = parts.trustedProxies.networks.length > 0
  }

  /** `null`: the Host header is missing, repeated or malformed. */
  read(request: Request, server: PeerSource | null): Arrival | null {
    const { headers } = request
    const named = this.hosts.read(headers.get('host'))
    if (named === null) return null
    const peer = server?.requestIP(request)?.address ?? unknownPeer
    if (this.trustsSomebody && isTrustedProxy(peer, this.parts.trustedProxies)) {
      return this.forwarded(request, { peer, named })
    }
    if (!this.warned && forwardingHeaders.some((name) => headers.has(name))) this.warnOfProxy(peer)
    const { name, httpOrigin } = named
    return { request, host: name, ownOrigin: httpOrigin, secure: false, clientAddress: canonical(peer) }
  }

  /** What a trusted proxy says of the visitor (contract section 2, `trusted_proxies`). */
  private forwarded(request: Request, { peer, named }: { peer: string; named: NamedHost }): Arrival {
    const { headers } = request
    const said = lastOf(headers.get('x-forwarded-host'))
    const visible = (said === null ? null : this.hosts.read(said)) ?? named
    const secure = lastOf(headers.get('x-forwarded-proto'))?.toLowerCase() === 'https'
    return {
      request,
      host: visible.name,
      ownOrigin: secure ? visible.httpsOrigin : visible.httpOrigin,
      secure,
      clientAddress: clientAddress(peer, headers.get('x-forwarded-for'), this.parts.trustedProxies),
    }
  }

  private warnOfProxy(peer: string): void {
    if (!isPrivateAddress(peer)) return
    this.warned = true
    this.parts.onUntrustedProxy(peer)
  }
}

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']

/** A peer's IPv4 address is canonical as the runtime writes it; IPv6 may be a mapped IPv4 address. */
const canonical = (peer: string): string => (peer.includes(':') ? (canonicalAddress(peer) ?? peer) : peer)

/** The right-most of a list: what the proxy next to us says. */
const lastOf = (header: string | null): string | null => header?.slice(header.lastIndexOf(',') + 1).trim() ?? null
