import type { LiveSite } from '../asset/live-site.ts'
import { type ForwardedClient, forwardedClient, isTrustedProxy } from '../lib/forwarded-client.ts'
import { canonicalAddress, isPrivateAddress } from '../lib/ip.ts'
import { HostReader, type NamedHost } from './host.ts'
import type { ListenerParts } from './listener-parts.ts'
import type { PeerSource } from './peer-source.ts'

export interface Arrival {
  request: Request
  server: PeerSource | null
  /** The host that was asked, lower-case, without port. */
  host: string
  /** Scheme, host and port under which the visitor reached this box. */
  ownOrigin: string
  secure: boolean
  clientAddress: string
}

export interface SiteArrival extends Arrival {
  site: LiveSite
}

export interface PreviewArrival extends Arrival {
  /** The account whose own host it is; `null`: the host of all previews. */
  only: LiveSite | null
}

export type Scheme = 'http' | 'https'

const unknownPeer = '0.0.0.0'

/** Reads host, origin and client of a request. Uses forwarding headers only from trusted proxies (docs/behind-a-proxy.md). */
export class ArrivalReader {
  private readonly hosts = new HostReader()
  private warned = false

  constructor(
    private readonly parts: ListenerParts,
    private readonly scheme: Scheme,
  ) {}

  /** `null`: the Host header is missing, repeated or malformed. */
  read(request: Request, server: PeerSource | null): Arrival | null {
    const { headers } = request
    const named = this.hosts.read(headers.get('host'))
    if (named === null) return null
    const peer = server?.requestIP(request)?.address ?? unknownPeer
    const { trustedProxies } = this.parts
    if (trustedProxies.networks.length > 0 && isTrustedProxy(peer, trustedProxies)) {
      return this.forwarded(request, { server, peer, named })
    }
    if (!this.warned && forwardingHeaders.some((name) => headers.has(name))) this.warnOfProxy(peer)
    const secure = this.scheme === 'https'
    const ownOrigin = secure ? named.httpsOrigin : named.httpOrigin
    return { request, server, host: named.name, ownOrigin, secure, clientAddress: canonical(peer) }
  }

  /** The forwarding headers of a trusted proxy. */
  private forwarded(
    request: Request,
    { server, peer, named }: { server: PeerSource | null; peer: string; named: NamedHost },
  ): Arrival {
    const { headers } = request
    const client = forwardedClient(peer, headers.get('x-forwarded-for'), this.parts.trustedProxies)
    const visible = this.hosts.read(entryOf(headers.get('x-forwarded-host'), client)) ?? named
    const secure = (entryOf(headers.get('x-forwarded-proto'), client) ?? this.scheme).toLowerCase() === 'https'
    return {
      request,
      server,
      host: visible.name,
      ownOrigin: secure ? visible.httpsOrigin : visible.httpOrigin,
      secure,
      clientAddress: client.address,
    }
  }

  private warnOfProxy(peer: string): void {
    if (!isPrivateAddress(peer)) return
    this.warned = true
    this.parts.onUntrustedProxy(peer)
  }
}

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']

/** The runtime's IPv4 addresses are canonical. An IPv6 address may be a mapped IPv4 one. */
const canonical = (peer: string): string => (peer.includes(':') ? (canonicalAddress(peer) ?? peer) : peer)

/**
 * The entry of the proxy that the visitor reached. Each proxy appends to the list, so the entry is as far from the right as the
 * visitor's address. A shorter list was started by an inner proxy; use its first entry.
 */
function entryOf(header: string | null, { entriesBehind }: ForwardedClient): string | null {
  if (header === null) return null
  const entries = header.split(',')
  return (entries.at(-1 - entriesBehind) ?? entries[0])?.trim() ?? null
}
