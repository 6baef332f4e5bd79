import { lookup } from 'node:dns/promises'
import { type Address, ipNetwork } from '../lib/ip.ts'
import { ownAddresses } from '../lib/network-cards.ts'
import type { AddressLookup, Guard } from './guard.ts'

interface GuardOptions {
  /** CIDRs, of `[delivery] allow_private`. */
  allowPrivate: readonly string[]
  ownPorts: readonly number[]
}

/** The guard of this machine. */
export function systemGuard({ allowPrivate, ownPorts }: GuardOptions): Guard {
  const own = new Set(ownAddresses()?.map(({ address }) => address))
  return {
    allowed: allowPrivate.map((cidr) => ipNetwork(cidr, 'delivery.allow_private')),
    isOwn: (address: Address, port: number) =>
      ownPorts.includes(port) && (address.ip.range() === 'loopback' || own.has(address.text)),
  }
}

/** Looks names up as the system does, hosts file included. */
export const systemLookup: AddressLookup = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address)
