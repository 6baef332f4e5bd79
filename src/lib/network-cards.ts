import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { ipVersion } from './ip.ts'

type Read = typeof networkInterfaces

/**
 * The addresses of this machine's network cards; `null`: not available, for instance in a sandbox without `AF_NETLINK`
 * (getifaddrs(3)).
 */
export function ownAddresses(read: Read = networkInterfaces): NetworkInterfaceInfo[] | null {
  try {
    return Object.values(read()).flatMap((addresses) => addresses ?? [])
  } catch {
    return null
  }
}

/** A machine without IPv6 cannot judge such an address. Where the cards are unknown, trying shows it. */
export function isReachableFromHere(address: string, read: Read = networkInterfaces): boolean {
  if (ipVersion(address) === 4 || address === '::1') return true
  return ownAddresses(read)?.some(isGlobalIpv6) ?? true
}

const isGlobalIpv6 = ({ address, family, internal }: NetworkInterfaceInfo): boolean =>
  family === 'IPv6' && !internal && !address.startsWith('fe80')
