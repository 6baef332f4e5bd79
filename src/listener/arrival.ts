import type { LiveSite } from '../asset/live-site.ts'
import { clientAddress, isPrivateAddress, isTrustedProxy } from '../lib/ip.ts'
import { HostReader } from './host.ts'
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
    const peer = server?.requestIP(request)?.address ?? unknownPeer
    const forwarded = this.forwarded(headers, peer)
    const hostHeader = headers.get('host')
    const named = this.hosts.read(hostHeader)
    if (named === null) return null
    const visible = (forwarded.host === null ? null : this.hosts.read(forwarded.host)) ?? named
    const secure = forwarded.proto === 'https'
    return {
      request,
      host: visible.name,
      ownOrigin: originText(secure, visible.name, visible.port),
      secure,
      clientAddress: forwarded.client,
    }
  }

  private forwarded(headers: Headers, peer: string): Forwarded {
    const { trustedProxies } = this.parts
    const forwardedFor = headers.get('x-forwarded-for')
    if (!this.trustsSomebody || !isTrustedProxy(peer, trustedProxies)) {
      if (forwardedFor !== null || headers.has('x-forwarded-proto')) this.warnOnce(peer)
      return { client: clientAddress(peer, null, trustedProxies), proto: null, host: null }
    }
    return {
      client: clientAddress(peer, forwardedFor, trustedProxies),
      proto: lastOf(headers.get('x-forwarded-proto'))?.toLowerCase() ?? null,
      host: lastOf(headers.get('x-forwarded-host')),
    }
  }

  private warnOnce(peer: string): void {
    if (this.warned || !isPrivateAddress(peer)) return
    this.warned = true
    this.parts.onUntrustedProxy(peer)
  }
}

interface Forwarded {
  client: string
  proto: string | null
  host: string | null
}

/** The right-most of a list: what the proxy next to us says. */
const lastOf = (header: string | null): string | null => header?.slice(header.lastIndexOf(',') + 1).trim() ?? null

function originText(secure: boolean, name: string, port: number | null): string {
  const scheme = secure ? 'https' : 'http'
  const usual = secure ? 443 : 80
  return port === null || port === usual ? `${scheme}://${name}` : `${scheme}://${name}:${port}`
}
