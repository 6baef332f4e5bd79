import { describe, expect, test } from 'bun:test'
import { BlockList } from 'node:net'
import fc from 'fast-check'
import { compileTrustedProxies, forwardedClient } from '../../src/lib/forwarded-client.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'

const trusted = compileTrustedProxies(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
const nobody = compileTrustedProxies([])

const clientAddress = (...asked: Parameters<typeof forwardedClient>): string => forwardedClient(...asked).address

describe('forwardedClient', () => {
  const cases: [string, string, string | null, string][] = [
    ['an untrusted peer is the client, whatever it says', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a trusted peer without the header is the client', '127.0.0.1', null, '127.0.0.1'],
    ['a trusted peer with an empty header is the client', '127.0.0.1', '', '127.0.0.1'],
    ['the right-most hop counts, not the first', '127.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['trusted hops are walked over', '127.0.0.1', '1.1.1.1, 198.51.100.1,10.0.0.2 ,\t10.0.0.3', '198.51.100.1'],
    ['when every hop is trusted, the left-most counts', '127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['a malformed hop ends the walk', '127.0.0.1', '198.51.100.1, unknown, 10.0.0.2', '10.0.0.2'],
    ['an empty hop ends the walk', '127.0.0.1', '198.51.100.1,,10.0.0.2', '10.0.0.2'],
    ['a comma at the end is an empty hop', '127.0.0.1', '198.51.100.1,', '127.0.0.1'],
    ['a port after IPv4 is left out', '127.0.0.1', '198.51.100.1:555', '198.51.100.1'],
    ['brackets and port of IPv6 are left out', '127.0.0.1', '[2001:DB8::1]:443', '2001:db8::1'],
    ['brackets without port are read', '127.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['IPv6 without brackets is read', '127.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['something else after brackets is malformed', '127.0.0.1', '[2001:db8::1]x', '127.0.0.1'],
    ['a port that is no number is malformed', '127.0.0.1', '198.51.100.1:x', '127.0.0.1'],
    ['a mapped peer is its IPv4 address', '::ffff:127.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['an IPv6 proxy is trusted by its network', 'fd12::1', '198.51.100.1', '198.51.100.1'],
    ['a peer that is no address comes back as it is', 'unix', '198.51.100.1', 'unix'],
  ]
  for (const [what, peer, header, expected] of cases) {
    test(what, () => {
      expect(clientAddress(peer, header, trusted)).toBe(expected)
    })
  }

  test.each([
    ['nowhere', null, 0],
    ['last', '198.51.100.1', 0],
    ['before a proxy', '198.51.100.1, 10.0.0.2', 1],
    ['before two', 'forged, 198.51.100.1, 10.0.0.2, 10.0.0.3', 2],
    ['before what is no address', '198.51.100.1, unknown', 0],
    ['among nothing but proxies', '10.0.0.1, 10.0.0.2', 1],
  ])('tells where the client stands in the header: %s', (_where, header, entriesBehind) => {
    expect(forwardedClient('127.0.0.1', header, trusted).entriesBehind).toBe(entriesBehind)
  })

  test('with no trusted proxies the header is never read', () => {
    expect(clientAddress('127.0.0.1', '198.51.100.1', nobody)).toBe('127.0.0.1')
  })

  test('hops beyond the limit are not looked at', () => {
    expect(clientAddress('127.0.0.1', `198.51.100.1${', 10.0.0.1'.repeat(32)}`, trusted)).toBe('10.0.0.1')
  })

  test('whatever a client sends itself changes nothing', () => {
    const hop = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.1', '127.0.0.1', ''), fc.string())
    fc.assert(
      fc.property(fc.array(hop), (forged) => {
        expect(clientAddress('10.0.0.9', [...forged, '203.0.113.9', '10.0.0.8'].join(', '), trusted)).toBe(
          '203.0.113.9',
        )
      }),
    )
  })
})

describe('compileTrustedProxies', () => {
  const header = '203.0.113.9'
  const isTrusted = (cidr: string, peer: string) =>
    clientAddress(peer, header, compileTrustedProxies([cidr])) === header

  test('matches as the runtime does', () => {
    const near = (bits: number) => fc.integer({ min: 0, max: bits })
    fc.assert(
      fc.property(fc.ipV4(), near(32), fc.nat({ max: 31 }), (base, prefix, flipped) => {
        const list = new BlockList()
        list.addSubnet(base, prefix, 'ipv4')
        const octets = base.split('.').map(Number)
        octets[flipped >> 3] = (octets[flipped >> 3] ?? 0) ^ (1 << (flipped & 7))
        const peer = octets.join('.')
        expect(isTrusted(`${base}/${prefix}`, peer) || peer === header).toBe(
          list.check(peer, 'ipv4') || peer === header,
        )
      }),
    )
  })

  const cases: [string, string, boolean][] = [
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['::1', '::1', true],
    ['::1', '::2', false],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '198.51.100.1', false],
    ['10.1.2.3/8', '10.9.9.9', true],
  ]
  for (const [cidr, peer, expected] of cases) {
    test(`${cidr} ${expected ? 'holds' : 'does not hold'} ${peer}`, () => {
      expect(isTrusted(cidr, peer)).toBe(expected)
    })
  }

  for (const cidr of [
    '',
    'localhost',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::ffff:0:0/90',
  ]) {
    test(`${JSON.stringify(cidr)} is a fault that names it`, () => {
      expect(() => compileTrustedProxies([cidr])).toThrow(OperatorError)
      expect(() => compileTrustedProxies([cidr])).toThrow(`'${cidr}'`)
    })
  }
})
