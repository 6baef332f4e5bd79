import ipaddr from 'ipaddr.js'
import { OperatorError } from './operator-error.ts'
import { RecentMap } from './recent-map.ts'

/** The longest text form with a dotted IPv4 part is 45 characters; the rest leaves room for a zone name. */
const addressCharsMax = 64

/** Parsed addresses to remember: a proxy's comes with every request, a visitor's with several. */
const rememberedMax = 2048
const remembered = new RecentMap<Address>(rememberedMax)

export interface Address {
  /** A mapped IPv4 address is represented as IPv4. */
  ip: ipaddr.IPv4 | ipaddr.IPv6
  /** The canonical form (RFC 5952). */
  text: string
}

/**
 * Reads an IPv4 or IPv6 address (RFC 4291 section 2.2) without its zone name; `null`: invalid. Old spellings of IPv4
 * (octal, hexadecimal, fewer than four parts) are invalid.
 */
export function parseAddress(text: string): Address | null {
  if (text.length > addressCharsMax) return null
  const known = remembered.get(text)
  if (known !== undefined) return known
  const ip = parseIp(text)
  if (ip === null) return null
  const address = { ip, text: ip instanceof ipaddr.IPv4 ? ip.toString() : ip.toRFC5952String() }
  remembered.set(text, address)
  return address
}

function parseIp(text: string): Address['ip'] | null {
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null
  const zone = text.indexOf('%')
  const withoutZone = zone === -1 ? text : text.slice(0, zone)
  return ipaddr.IPv6.isValid(withoutZone) ? ipaddr.process(withoutZone) : null
}

/** The IP version of an address, 6 for a mapped IPv4 address; `null`: not an address. */
export function ipVersion(text: string): 4 | 6 | null {
  if (parseAddress(text) === null) return null
  return text.includes(':') ? 6 : 4
}

/** The address in canonical text form (RFC 5952; a mapped IPv4 address as IPv4); `null`: not an address. */
export const canonicalAddress = (text: string): string | null => parseAddress(text)?.text ?? null

/** Whether the address is this machine's or a private network's (RFC 1918, RFC 4193), where a proxy would be. */
export function isPrivateAddress(text: string): boolean {
  const address = parseAddress(text)
  return address !== null && privateRanges.has(address.ip.range())
}

const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal'])

/** Whether the address is a loopback address (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3). */
const isLoopbackAddress = (text: string): boolean => parseAddress(text)?.ip.range() === 'loopback'

/** Whether a host of the configuration, an address or a name, is this machine. */
export const isThisMachine = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

/** Whether the address is public (IANA's registries of special-purpose addresses, RFC 6890). Of IPv6, only 2000::/3 is (RFC 4291 section 4). */
export function isPublicAddress(text: string): boolean {
  const ip = parseAddress(text)?.ip
  if (ip?.range() !== 'unicast') return false
  return ip instanceof ipaddr.IPv4 || ((ip.parts[0] ?? 0) & 0xe000) === 0x2000
}

/** The key of a per-IP budget: an IPv4 address, or the /64 of an IPv6 address. */
export function rateLimitAddress(ip: string): string {
  if (!ip.includes(':')) return ip
  const prefix = canonicalPrefix64.exec(ip)
  if (prefix !== null) return `${prefix[0]}:/64`
  const address = parseAddress(ip)
  if (address === null) return ip
  return address.ip instanceof ipaddr.IPv4 ? address.text : `${address.ip.parts.slice(0, 4).map(hex).join(':')}::/64`
}

/** Four groups in canonical form. Most callers' addresses begin so, and need no parsing; no mapped address does. */
const canonicalPrefix64 = /^[1-9a-f][0-9a-f]{0,3}:(?:(?:0|[1-9a-f][0-9a-f]{0,3}):){3}/

const hex = (group: number): string => group.toString(16)

/** The network address kept under `store_ip = "truncated"`: that of the /24 or /48; `null`: not an address. */
export function truncatedAddress(ip: string): string | null {
  const address = parseAddress(ip)?.ip
  if (address === undefined) return null
  return address instanceof ipaddr.IPv4
    ? new ipaddr.IPv4([...address.octets.slice(0, 3), 0]).toString()
    : new ipaddr.IPv6([...address.parts.slice(0, 3), 0, 0, 0, 0, 0]).toRFC5952String()
}

/** The number of bits of `::ffff:a.b.c.d` before the IPv4 address (RFC 4291 section 2.5.5.2). */
const mappedPrefixBits = 96

export type IpNetwork = [base: Address['ip'], prefixBits: number]

/** Reads a CIDR or a single address. @throws OperatorError that names the configuration's key */
export function ipNetwork(cidr: string, key: string): IpNetwork {
  const [text = '', bits, ...rest] = cidr.trim().split('/')
  const address = parseAddress(text)
  if (address === null || rest.length > 0) throw notANetwork(cidr, key)
  const bitsMax = address.ip.kind() === 'ipv4' ? 32 : 128
  // A mapped network wider than IPv4 would contain IPv4 and a part of IPv6: never intended.
  const offset = bitsMax === 32 && text.includes(':') ? mappedPrefixBits : 0
  const prefixBits = bits === undefined ? bitsMax : /^\d{1,3}$/.test(bits) ? Number(bits) - offset : -1
  if (prefixBits < 0 || prefixBits > bitsMax) throw notANetwork(cidr, key)
  return [address.ip, prefixBits]
}

export const isWithin = ({ ip }: Address, networks: readonly IpNetwork[]): boolean =>
  networks.some(([base, prefixBits]) => base.kind() === ip.kind() && ip.match(base, prefixBits))

const notANetwork = (cidr: string, key: string): OperatorError =>
  new OperatorError(`${key}: '${cidr}' is not an address or CIDR; write, for example, "127.0.0.1" or "10.0.0.0/8"`)
