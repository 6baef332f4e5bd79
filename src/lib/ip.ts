import { format, type Groups, hex, ipv4Offset, isIpv4, parseGroups } from './ip-groups.ts'
import { OperatorError } from './operator-error.ts'

/** Entries of `X-Forwarded-For` that are looked at, from the right. */
const forwardedHopsMax = 32

interface Network {
  groups: Groups
  prefixBits: number
}

/** The networks whose forwarding headers are believed (`server.trusted_proxies`). */
export interface TrustedProxies {
  readonly networks: readonly Network[]
}

/** Reads `server.trusted_proxies`: CIDRs or single addresses. A faulty one is an `OperatorError`. */
export function compileTrustedProxies(cidrs: readonly string[]): TrustedProxies {
  return { networks: cidrs.map(network) }
}

/** Who a request came from. */
export interface ForwardedClient {
  /** In canonical text form. */
  address: string
  /** Where in `X-Forwarded-For` the address stands, from the right: as many proxies have written something after it. */
  entriesBehind: number
}

/**
 * Who a request came from: the right-most hop that is no trusted proxy.
 *
 * Only a trusted peer's `X-Forwarded-For` is read, from the right, since everything left of an untrusted hop is hearsay;
 * a hop that is no address ends the walk at the last good one. A peer that is no IP address comes back as it is.
 */
export function forwardedClient(peer: string, forwardedFor: string | null, trusted: TrustedProxies): ForwardedClient {
  const peerGroups = parseGroups(peer)
  if (peerGroups === null) return { address: peer, entriesBehind: 0 }
  let client = peerGroups
  let entriesBehind = 0
  let end = forwardedFor === null ? 0 : forwardedFor.length
  for (let hops = 0; forwardedFor !== null && end >= 0 && hops < forwardedHopsMax; hops++) {
    if (!isTrusted(client, trusted)) break
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1)
    const hop = parseHop(forwardedFor.slice(comma + 1, end))
    if (hop === null) break
    client = hop
    end = comma
    entriesBehind = hops
  }
  return { address: format(client), entriesBehind }
}

/** Whether the peer is one whose forwarding headers are believed. */
export function isTrustedProxy(peer: string, trusted: TrustedProxies): boolean {
  const groups = parseGroups(peer)
  return groups !== null && isTrusted(groups, trusted)
}

/** Whether the address is of this machine or of a private network (RFC 1918, RFC 4193): where a proxy would stand. */
export function isPrivateAddress(address: string): boolean {
  const groups = parseGroups(address)
  return groups !== null && privateNetworks.some((network) => contains(network, groups))
}

/** The address in canonical text form (RFC 5952; a mapped IPv4 address as IPv4), or `null` when it is none. */
export function canonicalAddress(text: string): string | null {
  const groups = parseGroups(text)
  return groups === null ? null : format(groups)
}

/** What a per-IP budget counts by: an IPv4 address as it is, an IPv6 address by its /64 (contract, "Rate limits"). */
export function rateLimitAddress(ip: string): string {
  if (!ip.includes(':')) return ip
  const prefix = canonicalPrefix64.exec(ip)
  if (prefix !== null) return `${prefix[0]}:/64`
  const groups = parseGroups(ip)
  if (groups === null) return ip
  if (isIpv4(groups)) return format(groups)
  return `${hex(groups[0])}:${hex(groups[1])}:${hex(groups[2])}:${hex(groups[3])}::/64`
}

/** Four groups as canonical text has them. Most callers' addresses begin so, which saves reading them; no mapped one does. */
const canonicalPrefix64 = /^[1-9a-f][0-9a-f]{0,3}:(?:(?:0|[1-9a-f][0-9a-f]{0,3}):){3}/

/** The network address kept under `store_ip = "truncated"`: of the /24 or /48; `null` when it is no address. */
export function truncatedAddress(ip: string): string | null {
  const groups = parseGroups(ip)
  if (groups === null) return null
  return format(masked(groups, isIpv4(groups) ? ipv4Offset + 24 : 48))
}

function network(cidr: string): Network {
  const [address = '', bits, ...rest] = cidr.trim().split('/')
  const groups = parseGroups(address)
  const mapped = groups !== null && isIpv4(groups)
  const offset = mapped && !address.includes(':') ? ipv4Offset : 0
  const prefixBits = bits === undefined ? 128 : /^\d{1,3}$/.test(bits) ? Number(bits) + offset : Number.NaN
  // A mapped network wider than IPv4 would hold IPv4 and a slice of IPv6: nobody means that.
  if (groups === null || rest.length > 0 || !(prefixBits <= 128) || (mapped && prefixBits < ipv4Offset)) {
    throw new OperatorError(`trusted_proxies: '${cidr}' is no address or CIDR; write e.g. "127.0.0.1" or "10.0.0.0/8"`)
  }
  return { groups: masked(groups, prefixBits), prefixBits }
}

function isTrusted(address: Groups, trusted: TrustedProxies): boolean {
  return trusted.networks.some((network) => contains(network, address))
}

function contains(network: Network, address: Groups): boolean {
  // `::/0` and its like mean IPv6: without this they would hold the mapped form of every IPv4 address.
  if (isIpv4(address) && network.prefixBits < ipv4Offset) return false
  for (let i = 0; i * 16 < network.prefixBits; i++) {
    if (((address[i] ?? 0) & groupMask(network.prefixBits, i)) !== network.groups[i]) return false
  }
  return true
}

const masked = (groups: Groups, prefixBits: number): Groups =>
  groups.map((group, i) => group & groupMask(prefixBits, i))

/** Which bits of group `i` the first `prefixBits` bits of an address cover. */
function groupMask(prefixBits: number, i: number): number {
  const bits = Math.min(16, Math.max(0, prefixBits - i * 16))
  return (0xffff << (16 - bits)) & 0xffff
}

/** One entry of `X-Forwarded-For`: an address, with or without a port. */
function parseHop(entry: string): Groups | null {
  const text = entry.trim()
  if (text.startsWith('[')) {
    const close = text.indexOf(']')
    return close !== -1 && isPortSuffix(text.slice(close + 1)) ? parseGroups(text.slice(1, close)) : null
  }
  const colon = text.indexOf(':')
  const isIpv4WithPort = colon !== -1 && colon === text.lastIndexOf(':')
  if (!isIpv4WithPort) return parseGroups(text)
  return isPortSuffix(text.slice(colon)) ? parseGroups(text.slice(0, colon)) : null
}

const isPortSuffix = (text: string): boolean => text === '' || /^:\d{1,5}$/.test(text)

/** Read once: a stranger who sends forwarding headers is looked up among them with every request. */
const privateNetworks: readonly Network[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
].map(network)
