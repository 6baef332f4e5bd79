import { type Address, type IpNetwork, ipNetwork, isWithin, parseAddress } from './ip.ts'

/** Entries of `X-Forwarded-For` that are read, from the right. */
const forwardedHopsMax = 32

/** Networks whose forwarding headers are trusted (`server.trusted_proxies`). */
export interface TrustedProxies {
  readonly networks: readonly IpNetwork[]
}

/** Reads `server.trusted_proxies`: CIDRs or single addresses. A faulty one is an `OperatorError`. */
export function compileTrustedProxies(cidrs: readonly string[]): TrustedProxies {
  return { networks: cidrs.map((cidr) => ipNetwork(cidr, 'trusted_proxies')) }
}

/** Who a request came from. */
export interface ForwardedClient {
  /** In canonical text form. */
  address: string
  /** The address's place in `X-Forwarded-For` from the right: the number of entries that proxies added after it. */
  entriesBehind: number
}

/**
 * Who a request came from: the right-most hop that is not a trusted proxy.
 *
 * `X-Forwarded-For` is read only from a trusted peer, and from the right, since everything left of an untrusted hop is
 * hearsay. An invalid hop ends the walk at the last valid one. A peer without an IP address is returned as it is.
 */
export function forwardedClient(peer: string, forwardedFor: string | null, trusted: TrustedProxies): ForwardedClient {
  const peerAddress = parseAddress(peer)
  if (peerAddress === null) return { address: peer, entriesBehind: 0 }
  let client = peerAddress
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
  return { address: client.text, entriesBehind }
}

/** Whether the peer's forwarding headers are trusted. */
export function isTrustedProxy(peer: string, trusted: TrustedProxies): boolean {
  const address = parseAddress(peer)
  return address !== null && isTrusted(address, trusted)
}

const isTrusted = (address: Address, { networks }: TrustedProxies): boolean => isWithin(address, networks)

/** One entry of `X-Forwarded-For`: an address, with or without a port. */
function parseHop(entry: string): Address | null {
  const text = entry.trim()
  if (text.startsWith('[')) {
    const close = text.indexOf(']')
    return close !== -1 && isPortSuffix(text.slice(close + 1)) ? parseAddress(text.slice(1, close)) : null
  }
  const colon = text.indexOf(':')
  const isIpv4WithPort = colon !== -1 && colon === text.lastIndexOf(':')
  if (!isIpv4WithPort) return parseAddress(text)
  return isPortSuffix(text.slice(colon)) ? parseAddress(text.slice(0, colon)) : null
}

const isPortSuffix = (text: string): boolean => text === '' || /^:\d{1,5}$/.test(text)
