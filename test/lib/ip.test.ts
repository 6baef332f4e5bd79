import { describe, expect, test } from 'bun:test'
import { BlockList } from 'node:net'
import fc from 'fast-check'
import {
  canonicalAddress,
  compileTrustedProxies,
  forwardedClient,
  rateLimitAddress,
  truncatedAddress,
} from '../../src/lib/ip.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'

const trusted = compileTrustedProxies(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
const nobody = compileTrustedProxies([])

const clientAddress = (...asked: Parameters<typeof forwardedClient>): string => forwardedClient(...asked).address

describe('canonicalAddress', () => {
  const cases: [string, string | null][] = [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['::', '::'],
    ['1::', '1::'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['fe80::1%eth0', 'fe80::1'],
  ]
  const none = [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4 ',
    'a',
    '1:2',
    '::1::2',
    '1:2:3:4:5:6:7:8:9',
  ]
  for (const text of [...none, '1:2:3:4:5:6:7::8', '12345::', 'g::1', '1.2.3.4::', ':1', '1:', ':::', '::1.2.3.4:5'])
    cases.push([text, null])
  for (const [text, expected] of cases) {
    test(`${JSON.stringify(text)} is ${expected}`, () => {
      expect(canonicalAddress(text)).toBe(expected)
    })
  }

  test('any groups are written as the URL standard writes them', () => {
    const group = fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 0xffff }))
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        // A mapped IPv4 address is written as IPv4, which the standard does not.
        fc.pre(groups[5] !== 0xffff || groups.slice(0, 5).some((value) => value !== 0))
        const text = groups.map((value) => value.toString(16).toUpperCase().padStart(4, '0')).join(':')
        expect(`[${canonicalAddress(text)}]`).toBe(new URL(`http://[${text}]`).hostname)
      }),
    )
  })

  test('any address is read, and stays as it is once canonical', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const canonical = canonicalAddress(text) ?? 'none'
        expect(canonicalAddress(canonical)).toBe(canonical)
      }),
    )
  })

  test('any text is an address or none, without a throw', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f:.%]{0,45}$/), (text) => {
        const canonical = canonicalAddress(text)
        expect(canonical === null ? null : canonicalAddress(canonical)).toBe(canonical)
      }),
    )
  })
})

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

describe('addresses that stand for more than one caller', () => {
  test('IPv4 counts by itself', () => {
    expect(rateLimitAddress('203.0.113.9')).toBe('203.0.113.9')
  })

  test('two addresses of one /64 count together', () => {
    expect(rateLimitAddress('2001:db8::1')).toBe(rateLimitAddress('2001:db8:0:0:ffff:1:2:3'))
  })

  test('however an address is written, it counts the same', () => {
    const group = fc.oneof(fc.constant(0), fc.nat({ max: 0xffff }))
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const full = groups.map((value) => value.toString(16).toUpperCase().padStart(4, '0')).join(':')
        expect(rateLimitAddress(canonicalAddress(full) ?? '')).toBe(rateLimitAddress(full))
      }),
    )
  })

  test('neighbouring /64s count apart', () => {
    expect(rateLimitAddress('2001:db8:0:1::')).not.toBe(rateLimitAddress('2001:db8:0:2::'))
  })

  test('mapped IPv4 counts as IPv4', () => {
    expect(rateLimitAddress('::ffff:203.0.113.9')).toBe('203.0.113.9')
  })

  const truncated: [string, string | null][] = [
    ['203.0.113.9', '203.0.113.0'],
    ['::ffff:203.0.113.9', '203.0.113.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['unix', null],
  ]
  for (const [ip, expected] of truncated) {
    test(`${ip} truncated is ${expected}`, () => {
      expect(truncatedAddress(ip)).toBe(expected)
    })
  }
})
