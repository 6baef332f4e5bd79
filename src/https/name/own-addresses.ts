import { ipVersion, isPublicAddress } from '../../lib/ip.ts'
import { ownAddresses } from '../../lib/network-cards.ts'

/** The addresses for a name's DNS records; `null`: unknown. */
export interface RecordTargets {
  a: string | null
  aaaa: string | null
}

/** @param addresses of `[https] addresses`; empty: the public addresses of this machine's network interfaces */
export function recordTargets(addresses: readonly string[]): RecordTargets {
  const known = addresses.length > 0 ? addresses : publicAddresses()
  const first = (version: 4 | 6) => known.find((address) => ipVersion(address) === version) ?? null
  return { a: first(4), aaaa: first(6) }
}

/** Empty behind NAT, as at many cloud providers. */
function publicAddresses(): string[] {
  const own = ownAddresses() ?? []
  return own.map(({ address }) => address).filter(isPublicAddress)
}
