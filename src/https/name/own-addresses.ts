import { networkInterfaces } from 'node:os'
import { ipVersion, isPrivateAddress } from '../../lib/ip.ts'

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

/** RFC 6598: a provider's own addresses behind its NAT. */
const sharedSpace = /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
/** RFC 4291 section 2.4, as IANA hands them out. */
const globalUnicast = /^[23][0-9a-f]{3}:/

/** Behind NAT, as at many cloud providers, there is none. */
function publicAddresses(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own.filter(({ address, internal }) => !internal && isPublic(address)).map(({ address }) => address)
}

const isPublic = (address: string): boolean =>
  address.includes(':') ? globalUnicast.test(address) : !isPrivateAddress(address) && !sharedSpace.test(address)
