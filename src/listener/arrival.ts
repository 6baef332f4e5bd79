import { identityCookieHeader, readIdentityCookie } from '../account/identity-cookie.ts'
import type { LiveSite } from '../asset/live-site.ts'
import type { SiteRequest } from '../capture/site-request.ts'
import { type ForwardedClient, forwardedClient, isTrustedProxy } from '../lib/forwarded-client.ts'
import { canonicalAddress, ipVersion, isPrivateAddress } from '../lib/ip.ts'
import type { ListenerParts } from './listener-parts.ts'
import type { Peer, PeerSource } from './peer-source.ts'

export interface Arrival {
  request: Request
  server: PeerSource | null
  /** The host that was asked, lower-case, without port. */
  host: string
  /** Scheme, host and port under which the visitor reached this box. */
  ownOrigin: string
  secure: boolean
  /** Whose connection it is; `null`: unknown, or a trusted proxy's, which many visitors share. */
  peer: Peer | null
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

const unknownAddress = '0.0.0.0'

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
    const peer = server?.requestIP(request) ?? null
    const address = peer?.address ?? unknownAddress
    const { trustedProxies } = this.parts
    if (trustedProxies.networks.length > 0 && isTrustedProxy(address, trustedProxies)) {
      return this.forwarded(request, { server, proxy: address, named })
    }
    if (!this.warned && forwardingHeaders.some((name) => headers.has(name))) this.warnOfProxy(address)
    const secure = this.scheme === 'https'
    const ownOrigin = secure ? named.httpsOrigin : named.httpOrigin
    return { request, server, host: named.name, ownOrigin, secure, peer, clientAddress: canonical(address) }
  }

  private forwarded(
    request: Request,
    { server, proxy, named }: { server: PeerSource | null; proxy: string; named: NamedHost },
  ): Arrival {
    const { headers } = request
    const client = forwardedClient(proxy, headers.get('x-forwarded-for'), this.parts.trustedProxies)
    const visible = this.hosts.read(entryOf(headers.get('x-forwarded-host'), client)) ?? named
    const secure = (entryOf(headers.get('x-forwarded-proto'), client) ?? this.scheme).toLowerCase() === 'https'
    return {
      request,
      server,
      host: visible.name,
      ownOrigin: secure ? visible.httpsOrigin : visible.httpOrigin,
      secure,
      peer: null,
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

/** Limits the cached spellings of hosts. Beyond it, headers are parsed each time. */
const rememberedMax = 10_000
const hostPattern =
  /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])(?::(\d{0,5}))?$/
const hostCharactersMax = 260

interface NamedHost {
  /** Lower-case, without port and trailing dot. */
  name: string
  /**
   * The host's origins for browsers over HTTP and HTTPS (RFC 6454 section 6.2), including a trailing dot.
   */
  httpOrigin: string
  httpsOrigin: string
}

/** Reads Host headers (RFC 9112 section 3.2). */
export class HostReader {
  private readonly remembered = new Map<string, NamedHost>()

  /** `null` when the header is missing, repeated or malformed: the answer is 400. */
  read(header: string | null): NamedHost | null {
    if (header === null) return null
    const known = this.remembered.get(header)
    if (known !== undefined) return known
    const named = namedHost(header)
    if (named !== null && this.remembered.size < rememberedMax) this.remembered.set(header, named)
    return named
  }
}

/** A repeated header arrives as "a, b", which is not a host. */
function namedHost(header: string): NamedHost | null {
  if (header.length > hostCharactersMax) return null
  const lower = header.toLowerCase()
  const match = hostPattern.exec(lower)
  if (!match || (lower.startsWith('[') && !isIpv6Literal(lower))) return null
  const digits = match[1]
  // A colon without digits means the scheme's own port (RFC 3986 section 6.2.3).
  const port = digits ? Number(digits) : null
  if (port !== null && (port < 1 || port > 65535)) return null
  const withoutPort = digits === undefined ? lower : lower.slice(0, -digits.length - 1)
  const name = withoutPort.endsWith('.') ? withoutPort.slice(0, -1) : withoutPort
  return {
    name,
    httpOrigin: originText('http', withoutPort, port),
    httpsOrigin: originText('https', withoutPort, port),
  }
}

/** Brackets contain an IPv6 address (RFC 3986 section 3.2.2). The pattern only checks its characters. */
const isIpv6Literal = (host: string): boolean => ipVersion(host.slice(1, host.indexOf(']'))) === 6

const usualPorts = { http: 80, https: 443 }

const originText = (scheme: 'http' | 'https', host: string, port: number | null): string =>
  port === null || port === usualPorts[scheme] ? `${scheme}://${host}` : `${scheme}://${host}:${port}`

export function siteRequestOf(arrival: SiteArrival, { directory, verifiedCookies, clock }: ListenerParts): SiteRequest {
  const { request, site, host, ownOrigin, secure, clientAddress } = arrival
  const { account, splits } = site
  const context = { accountId: account.id, secure, keys: directory.signingKeys, now: clock.now() }
  const deviceId = readIdentityCookie(request.headers.get('cookie'), context, verifiedCookies)
  return { request, account, splits, host, ownOrigin, secure, clientAddress, deviceId }
}

/** The cookie that makes the browser remember the device; `null` when the visitor came with a valid one. */
export function newIdentityCookie(
  asked: SiteRequest,
  deviceId: string,
  { directory, clock }: ListenerParts,
): string | null {
  if (asked.deviceId !== null) return null
  const { account, secure } = asked
  return identityCookieHeader(deviceId, {
    accountId: account.id,
    secure,
    keys: directory.signingKeys,
    now: clock.now(),
  })
}
