import { describe, expect, test } from 'bun:test'
import { ipNetwork } from '../../src/lib/ip.ts'
import { type Guard, judgeDeliveryUrl, judgeHost } from '../../src/outbound/guard.ts'

const guardOf = (...allowed: string[]): Guard => ({
  allowed: allowed.map((cidr) => ipNetwork(cidr, 'delivery.allow_private')),
  isOwn: ({ text }, port) => text === '127.0.0.1' && port === 8080,
})

const publicOnly = guardOf()
const resolvingTo =
  (...addresses: string[]) =>
  async () =>
    addresses

const judge = (url: string, guard: Guard, ...addresses: string[]) =>
  judgeHost(new URL(url), guard, resolvingTo(...addresses))

describe('an address', () => {
  test('that is public is connected to as it was resolved', async () => {
    const addresses = ['203.0.114.9', '2606:4700::1111']
    expect(await judge('https://crm.example/hook', publicOnly, ...addresses)).toEqual({ addresses })
  })

  // IANA's registries of special-purpose addresses, and every way to write IPv4 within IPv6.
  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::1:2',
    '4000::1',
    '8000::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'no address',
  ])('%p is refused, alone and among others', async (address) => {
    expect(await judge('https://crm.example/hook', publicOnly, address)).toHaveProperty('refusal')
    expect(await judge('https://crm.example/hook', publicOnly, '203.0.114.9', address)).toHaveProperty('refusal')
  })

  test.each(['localhost.', 'a.localhost', 'a.b.localhost.'])('%s is judged as localhost is', async (host) => {
    const lookup = async (name: string) => (name === 'localhost' ? ['127.0.0.1'] : ['203.0.114.9'])
    expect(await judgeHost(new URL(`https://${host}/hook`), publicOnly, lookup)).toHaveProperty('refusal')
  })

  test.each(['0177.0.0.1', '2130706433', '0x7f.1', '127.1', '①②⑦.0.0.1', '[::ffff:7f00:1]'])(
    'written as %s is judged as what it stands for',
    async (host) => {
      expect(await judge(`https://${host}/hook`, publicOnly)).toHaveProperty('refusal')
    },
  )

  test('that the operator allows may be reached, over http too, and no other', async () => {
    const guard = guardOf('10.0.0.0/8')
    expect(await judge('http://crm.example/', guard, '10.1.2.3')).toEqual({ addresses: ['10.1.2.3'] })
    expect(await judge('http://crm.example/', guard, '192.168.1.1')).toHaveProperty('refusal')
    expect(await judge('http://crm.example/', guard, '203.0.114.9')).toHaveProperty('refusal')
  })

  test('of the box itself is refused though its range is allowed', async () => {
    expect(await judge('http://localhost:8080/', guardOf('127.0.0.0/8'), '127.0.0.1')).toHaveProperty('refusal')
    expect(await judge('http://localhost:8081/', guardOf('127.0.0.0/8'), '127.0.0.1')).toHaveProperty('addresses')
  })

  test.each([
    'https://user@crm.example/',
    'https://:secret@crm.example/',
    'https://crm.example:25/',
    'https://crm.example:80/',
    'ftp://crm.example/',
    'http://crm.example/',
  ])('%s is refused without a look at the DNS', async (url) => {
    const never = () => Promise.reject(new Error('looked up'))
    expect(await judgeHost(new URL(url), publicOnly, never)).toHaveProperty('refusal')
  })

  test('whose name nobody knows now is no reason to refuse a folder', async () => {
    const unknown = () => Promise.reject(new Error('ENOTFOUND'))
    expect(await judgeDeliveryUrl('https://crm.example/', publicOnly, unknown)).toMatchObject({ outcome: 'unknown' })
  })
})
