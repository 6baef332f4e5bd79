import { type Address, parseAddress } from './ip.ts'
import { OperatorError } from './operator-error.ts'

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
