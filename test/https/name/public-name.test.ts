import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { registeredDomain, whyNotPublic } from '../../../src/https/name/public-name.ts'

const publicNames = [
  'acme.com',
  'go.acme.co.uk',
  'xn--bcher-kva.de',
  'shop.xn--p1ai',
  'acme.github.io',
  // Its owner lends names below it, but a registry delegates it.
  'github.io',
  'www.ck',
]
const others = [
  'localhost',
  'preview.localhost',
  'box.local',
  'a.internal',
  'go.acme.test',
  'acme.example',
  'a.invalid',
  'x.onion',
  'box.home.arpa',
  'nas.lan',
  'intranet',
  'com',
  'co.uk',
  'xn--p1ai',
  'a.ck',
  '203.0.113.9',
  '2001:db8::1',
  'under_score.com',
  '*.acme.com',
  'acme.com.',
  '',
]

test.each(publicNames)('%s can have a certificate', (host) => {
  expect(whyNotPublic(host)).toBeNull()
})

test.each(others)('"%s" cannot, in one sentence', (host) => {
  expect(whyNotPublic(host)).toMatch(/^[^.]?.*\.$/)
})

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/)

test('a name below a public name is public, as long as it is a name', () => {
  fc.assert(
    fc.property(fc.constantFrom(...publicNames.slice(0, 4)), fc.array(label, { maxLength: 5 }), (name, labels) => {
      expect(whyNotPublic([...labels, name].join('.'))).toBeNull()
    }),
  )
})

test('no name under a reserved or unknown suffix is public', () => {
  const suffix = fc.constantFrom('localhost', 'local', 'internal', 'test', 'example', 'invalid', 'onion', 'lan', 'corp')
  fc.assert(
    fc.property(fc.array(label, { maxLength: 4 }), suffix, (labels, last) => {
      expect(whyNotPublic([...labels, last].join('.'))).not.toBeNull()
    }),
  )
})

test('whatever is asked, there is an answer', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void whyNotPublic(text)))
})

test.each([
  ['go.acme.co.uk', 'acme.co.uk'],
  ['shop.acme.com', 'acme.com'],
  ['www.acme.github.io', 'acme.github.io'],
  ['github.io', 'github.io'],
])('limits count %s by %s', (host, domain) => {
  expect(registeredDomain(host)).toBe(domain)
})
