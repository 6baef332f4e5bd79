import { expect, test } from 'bun:test'
import type { NetworkInterfaceInfo } from 'node:os'
import { isReachableFromHere, ownAddresses } from '../../src/lib/network-cards.ts'

const silentSystem = (): never => {
  throw new Error('A system error occurred: getifaddrs returned an error')
}

const card = (address: string): NetworkInterfaceInfo => ({
  address,
  family: 'IPv6',
  internal: false,
  netmask: '',
  mac: '',
  cidr: null,
  scopeid: 0,
})

test('a system that does not tell its addresses has none that are known', () => {
  expect(ownAddresses(silentSystem)).toBeNull()
})

test('where the system does not tell its addresses, one of IPv6 is tried', () => {
  expect(isReachableFromHere('2606:4700::1', silentSystem)).toBe(true)
})

test('from a machine with link-local addresses alone one of IPv6 is not reached', () => {
  expect(isReachableFromHere('2606:4700::1', () => ({ eth0: [card('fe80::1')] }))).toBe(false)
})

test('from a machine with an address of IPv6 another is reached', () => {
  expect(isReachableFromHere('2606:4700::1', () => ({ eth0: [card('2606:4700::2')] }))).toBe(true)
})
