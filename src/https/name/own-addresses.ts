import { ipVersion, isPublicAddress } from '../../lib/ip.ts'
import { ownAddresses } from '../../lib/network-cards.ts'

/** Where the DNS records of a name should lead; `null`: not known. */
export interface RecordTargets {
  a: string | null
  aaaa: string | null
}

/** @param addresses of `[https] addresses`; empty: those of this machine's network cards that the world can reach */
export function recordTargets(addresses: readonly string[]): RecordTargets {
  const known = addresses.length > 0 ? addresses : publicAddresses()
  const first = (version: 4 | 6) => known.find((address) => ipVersion(address) === version) ?? null
  return { a: first(4), aaaa: first(6) }
}

/** Behind NAT, as at many cloud providers, there is none. */
function publicAddresses(): string[] {
  const own = ownAddresses() ?? []
  return own.map(({ address }) => address).filter(isPublicAddress)
}
