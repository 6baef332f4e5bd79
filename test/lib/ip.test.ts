import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { canonicalAddress, isPublicAddress, rateLimitAddress, truncatedAddress } from '../../src/lib/ip.ts'

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

test.each(['198.41.0.4', '2606:4700::1'])('%s is an address of the open internet', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ...['10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.1.1', '192.0.2.2', '198.51.100.4', '240.0.0.1', '0.0.0.0'],
  ...['::1', 'fe80::1', 'fd00::1', '2001:db8::1', 'ff02::1', '::ffff:10.0.0.1', 'no address'],
])('%s is none', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})
