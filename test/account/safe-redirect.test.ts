import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileOriginAllowlist } from '../../src/account/origin-allowlist.ts'
import { safeRedirectUrl } from '../../src/account/safe-redirect.ts'

const domains = ['go.acme.example', '127.0.0.1']
const origins = ['https://www.acme.example', 'https://*.shop.example', 'https://shop.test:8443']
const safe = (url: string) => safeRedirectUrl(url, { domains, originAllowlist: compileOriginAllowlist(origins) })

describe('what is sent', () => {
  const cases: [string, string][] = [
    ['https://go.acme.example/thanks?a=1#b', 'https://go.acme.example/thanks?a=1#b'],
    ['http://go.acme.example/thanks', 'http://go.acme.example/thanks'],
    ['http://127.0.0.1:8080/thanks', 'http://127.0.0.1:8080/thanks'],
    ['https://www.acme.example', 'https://www.acme.example/'],
    ['HTTPS://WWW.ACME.EXAMPLE/Thanks', 'https://www.acme.example/Thanks'],
    ['https://a.b.shop.example/', 'https://a.b.shop.example/'],
    ['https://shop.test/', 'https://shop.test/'],
    ['https://go.acme.example./thanks', 'https://go.acme.example./thanks'],
    ['https://go.acme.example/thank you@home', 'https://go.acme.example/thank%20you@home'],
    ['https://go.acme.example/a/../b', 'https://go.acme.example/b'],
  ]
  for (const [raw, href] of cases) {
    test(`${raw} is sent as ${href}`, () => {
      expect(safe(raw)).toBe(href)
    })
  }
})

describe('what is left out', () => {
  const hosts = ['https://evil.example/', 'https://acme.example/', 'https://shop.example/', 'https://evilshop.example/']
  const users = [
    'https://u@go.acme.example/',
    'https://u:p@go.acme.example/',
    'https://@go.acme.example/',
    'https://go.acme.example@evil.example/',
  ]
  const notAbsolute = [
    '',
    '/thanks',
    '//go.acme.example/',
    'https:go.acme.example/',
    'https:/go.acme.example/',
    'go.acme.example',
  ]
  const schemes = [
    'javascript:alert(1)',
    'ftp://go.acme.example/',
    'javascript://go.acme.example/%0aalert(1)',
    'data:text/html,a',
  ]
  const tricks = [
    'https://go.acme.example\\@evil.example/',
    'https:\\\\go.acme.example/',
    ' https://go.acme.example/',
    'https://evil.example\n.go.acme.example/',
    'https://evil.example/https://go.acme.example',
    'https://',
  ]
  for (const raw of [
    ...hosts,
    ...users,
    ...notAbsolute,
    ...schemes,
    ...tricks,
    `https://go.acme.example/${'a'.repeat(3000)}`,
  ]) {
    test(JSON.stringify(raw.slice(0, 60)), () => {
      expect(safe(raw)).toBeNull()
    })
  }
})

test('any address that is sent leads to a host that may be led to', () => {
  const piece = fc.constantFrom(
    'https:',
    'http:',
    '/',
    '//',
    '\\',
    '@',
    ':',
    '?',
    '#',
    '.',
    '\t',
    'go.acme.example',
    'evil.example',
    'x.shop.example',
    '8080',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const sent = safe(`https://${pieces.join('')}`)
      if (sent !== null) expect(new URL(sent).hostname).toMatch(/^(go\.acme\.example|.+\.shop\.example)\.?$/)
    }),
    { numRuns: 2000 },
  )
})
