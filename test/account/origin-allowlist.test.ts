import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileOriginAllowlist, originPatternFault } from '../../src/account/origin-allowlist.ts'

const allows = (pattern: string, origin: string) => compileOriginAllowlist([pattern]).allows(origin)

describe('an exact pattern', () => {
  const allowed: [string, string][] = [
    ['https://www.acme.example', 'https://www.acme.example'],
    ['HTTPS://WWW.Acme.Example', 'https://www.acme.example'],
    ['https://www.acme.example:443', 'https://www.acme.example'],
    ['http://www.acme.example:80', 'http://www.acme.example'],
    ['http://www.acme.example:443', 'http://www.acme.example:443'],
    ['https://www.acme.example:08443', 'https://www.acme.example:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[0:0::1]:3000', 'http://[::1]:3000'],
    ['https://BÜCHER.example', 'https://xn--bcher-kva.example'],
    ['https://a_b.acme.example', 'https://a_b.acme.example'],
    ['capacitor://localhost', 'capacitor://localhost'],
  ]
  for (const [pattern, origin] of allowed) {
    test(`${pattern} allows ${origin}`, () => {
      expect(allows(pattern, origin)).toBe(true)
    })
  }

  const others = [
    'http://www.acme.example',
    'https://acme.example',
    'https://a.www.acme.example',
    'https://www.acme.example:8443',
  ]
  const forged = [
    'https://www.acme.example.evil.example',
    'https://evilwww.acme.example',
    'https://www.acme.example/',
    'null',
    '',
    '*',
  ]
  for (const origin of [...others, ...forged]) {
    test(`https://www.acme.example does not allow ${JSON.stringify(origin)}`, () => {
      expect(allows('https://www.acme.example', origin)).toBe(false)
    })
  }
})

describe('a wildcard', () => {
  const allowed: [string, string][] = [
    ['https://*.acme.example', 'https://www.acme.example'],
    ['https://*.acme.example', 'https://a.b.c.acme.example'],
    ['https://*.acme.example', 'https://acme.example.acme.example'],
    ['https://*.acme.example:443', 'https://www.acme.example'],
    ['http://*.acme.example:8080', 'http://www.acme.example:8080'],
    ['https://*.BÜCHER.example', 'https://www.xn--bcher-kva.example'],
    ['http://*.localhost:3000', 'http://shop.localhost:3000'],
  ]
  for (const [pattern, origin] of allowed) {
    test(`${pattern} allows ${origin}`, () => {
      expect(allows(pattern, origin)).toBe(true)
    })
  }

  const bare = ['https://acme.example', 'https://.acme.example', 'https://..acme.example', 'https://a..acme.example']
  const others = ['http://www.acme.example', 'https://www.acme.example:8443', 'https://www.acme.example:443']
  const forged = [
    'https://evilacme.example',
    'https://evil.example/.acme.example',
    'https://evil.example#.acme.example',
  ]
  const more = [
    'https://evil.example:1.acme.example',
    'https://u@www.acme.example',
    'https://www.acme.example/',
    'https://*.acme.example',
  ]
  for (const origin of [...bare, ...others, ...forged, ...more, 'https://www.acme.example.evil.example', 'null', '']) {
    test(`https://*.acme.example does not allow ${JSON.stringify(origin)}`, () => {
      expect(allows('https://*.acme.example', origin)).toBe(false)
    })
  }

  test('two schemes and ports of one domain stay apart', () => {
    const list = compileOriginAllowlist(['https://*.acme.example', 'http://*.acme.example:8080'])
    expect(list.allows('http://www.acme.example:8080')).toBe(true)
    expect(list.allows('https://www.acme.example:8080')).toBe(false)
  })

  test('a wildcard below a wildcard is found as well', () => {
    const list = compileOriginAllowlist(['http://*.a.acme.example', 'https://*.acme.example'])
    expect(list.allows('https://x.a.acme.example')).toBe(true)
  })

  test('any origin is allowed exactly when the URL standard reads the same host, scheme and port', () => {
    const label = fc.stringMatching(/^[a-z0-9-]{1,5}$/)
    const origin = fc
      .tuple(
        fc.constantFrom('http', 'https'),
        fc.array(label, { maxLength: 3 }),
        fc.constantFrom('', ':80', ':443', ':8443'),
      )
      .map(([scheme, labels, port]) => `${scheme}://${[...labels, 'acme', 'example'].join('.')}${port}`)
    const list = compileOriginAllowlist(['https://*.acme.example'])
    fc.assert(
      fc.property(fc.oneof(origin, fc.webUrl(), fc.string()), (text) => {
        const url = URL.parse(text)
        const isUnder = url?.protocol === 'https:' && url.port === '' && url.hostname.endsWith('.acme.example')
        expect(list.allows(text)).toBe(isUnder && url.origin === text)
      }),
    )
  })
})

describe('the hosts of an allowlist', () => {
  const list = compileOriginAllowlist(['http://www.acme.example:8080', 'https://*.shop.example'])
  const cases: [string, boolean][] = [
    ['www.acme.example', true],
    ['a.b.shop.example', true],
    ['shop.example', false],
    ['acme.example', false],
    ['evilshop.example', false],
  ]
  for (const [host, expected] of cases) {
    test(`${host} ${expected ? 'is' : 'is not'} one`, () => {
      expect(list.allowsHost(host)).toBe(expected)
    })
  }
})

describe('a pattern that can never match', () => {
  const faults: [string, RegExp][] = [
    ['', /scheme is missing/],
    ['*', /never allowed/],
    ['null', /never allowed/],
    ['www.acme.example', /scheme is missing/],
    ['//www.acme.example', /scheme is missing/],
    ['https:www.acme.example', /scheme is missing/],
    ['htps://www.acme.example', /'htps'/],
    ['file://acme.example', /'file'/],
    ['https://www.acme.example/', /trailing slash/],
    ['https://www.acme.example/shop', /path/],
    ['https://www.acme.example?a', /path/],
    ['https://www.acme.example\\', /not a valid host/],
    [' https://www.acme.example', /white space/],
    ['https://u:p@www.acme.example', /user name/],
    ['https://*', /front of a host/],
    ['https://www.*.example', /front of a host/],
    ['https://*acme.example', /front of a host/],
    ['https://*.*.acme.example', /front of a host/],
    ['https://www.acme.example:*', /host or port/],
    ['https://www.acme.example:0', /1 to 65535/],
    ['https://www.acme.example:65536', /1 to 65535/],
    ['https://www.acme.example:', /host or port/],
    ['https://', /host or port/],
    ['https://www..example', /not a valid host/],
    ['https://www.acme.example.', /not a valid host/],
    ['https://a b.example', /not a valid host/],
    ['https://[::1', /host or port/],
    ['https://[::g]', /host or port/],
    ['https://[1:2]', /not a valid host/],
    ['https://1.2.3.4.5', /not a valid host/],
    ['https://*.127.0.0.1', /IP address/],
    ['https://*.[::1]', /IP address/],
    [`https://${'a'.repeat(64)}.example`, /not a valid host/],
  ]
  for (const [pattern, fault] of faults) {
    test(`${JSON.stringify(pattern.slice(0, 40))} is explained`, () => {
      expect(originPatternFault(pattern) ?? 'none').toMatch(fault)
    })
  }

  test('a faulty pattern beside a good one takes nothing from it', () => {
    expect(compileOriginAllowlist(['null', '*', 'https://a.example']).allows('https://a.example')).toBe(true)
  })

  test('a pattern has a fault, or allows an origin made from it', () => {
    const text = fc.oneof(
      fc.webUrl(),
      fc.stringMatching(/^https?:\/\/(\*\.)?[a-zA-Z0-9.ü-]{0,12}(:\d{1,6})?\/?$/),
      fc.string(),
    )
    fc.assert(
      fc.property(text, (pattern) => {
        const sent = URL.parse(pattern.replace('*.', 'www.'))?.origin ?? 'null'
        expect(originPatternFault(pattern) === null).toBe(allows(pattern, sent))
      }),
      { numRuns: 1000 },
    )
  })
})
