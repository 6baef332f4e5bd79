import { isReachableFromHere } from '../../lib/network-cards.ts'
import { type Lookup, lookUp } from './addresses.ts'
import type { Certificate } from './port.ts'

/** A host that visitors reach this box by. */
export interface PublicHost {
  host: string
  /** Whose it is: an account's handle, or the preview host's name in words. */
  of: string
  /** Where the printed addresses of the host lead. */
  scheme: 'http' | 'https'
  port: number
}

/** How one address of a host answers. */
export interface ObservedAddress {
  address: string
  /** Why nothing answers on the host's port; `null`: something does. */
  silence: string | null
  /** Of https: what is shown, or why it is none. */
  certificate: Certificate | string | null
}

export interface ObservedHost extends PublicHost {
  lookup: Lookup
  addresses: ObservedAddress[]
}

export interface NameServers {
  /** DNS servers as `address:port`; absent: those of the system. */
  dnsServers?: string[]
}

/** Each look-up takes so long at most (contract section 1, `doctor`). */
const lookUpMsMax = 2000
/** A name has one or two; more would be looked at for nothing new. */
const addressesMax = 4
const httpsPort = 443

/** Looks a host up, then knocks at all of its addresses at once. */
export async function observe(host: PublicHost, { dnsServers }: NameServers): Promise<ObservedHost> {
  const lookup = await lookUp(host.host, { msMax: lookUpMsMax, ...(dnsServers && { servers: dnsServers }) })
  const found =
    'addresses' in lookup
      ? lookup.addresses.filter((address) => isReachableFromHere(address)).slice(0, addressesMax)
      : []
  return { ...host, lookup, addresses: await Promise.all(found.map((address) => observeAddress(host, address))) }
}

async function observeAddress({ host, scheme, port }: PublicHost, address: string): Promise<ObservedAddress> {
  const { certificateOf, knock } = await import('./port.ts')
  const isTls = scheme === 'https'
  const [silence, certificate] = await Promise.all([
    knock({ address, port }, lookUpMsMax),
    certificateOf(host, { address, port: isTls ? port : httpsPort }, lookUpMsMax),
  ])
  // Beside plain HTTP there need be none.
  return { address, silence, certificate: isTls || typeof certificate !== 'string' ? certificate : null }
}
