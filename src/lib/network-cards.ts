import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { ipVersion } from './ip.ts'

type Read = typeof networkInterfaces

/**
 * The addresses of this machine's network cards; `null`: the system does not tell, as a sandbox without `AF_NETLINK` makes it
 * (getifaddrs(3)).
 */
export function ownAddresses(read: Read = networkInterfaces): NetworkInterfaceInfo[] | null {
  try {
    return Object.values(read()).flatMap((addresses) => addresses ?? [])
  } catch {
    return null
  }
}

/** From a machine without IPv6 nothing can be said of such an address. Where the system does not tell, a try does. */
export function isReachableFromHere(address: string, read: Read = networkInterfaces): boolean {
  if (ipVersion(address) === 4 || address === '::1') return true
  return ownAddresses(read)?.some(isGlobalIpv6) ?? true
}

const isGlobalIpv6 = ({ address, family, internal }: NetworkInterfaceInfo): boolean =>
  family === 'IPv6' && !internal && !address.startsWith('fe80')
