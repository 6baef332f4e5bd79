import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { clickDestinationAllowed } from '../../src/capture/click-destination.ts'

const served = 'go.acme.test'
const preview = 'preview.example.test'
const allowed = (destination: string): boolean => clickDestinationAllowed(destination, served, preview)

describe('click destination', () => {
  for (const destination of [
    'https://go.acme.test',
    'https://go.acme.test/',
    'http://go.acme.test/spring?utm_source=mail#top',
    'https://go.acme.test:8443/spring',
    'HTTPS://GO.Acme.Test/spring',
    'https://go.acme.test./spring',
    'https://go.acme.test?next=https://evil.test/',
    'https://go.acme.test/ümlaut',
    'https://preview.example.test/_preview/k3x9a0b1?exp=1&sig=x',
    'https://go.acme.test/@user',
  ]) {
    test(`${destination} is allowed`, () => {
      expect(allowed(destination)).toBe(true)
    })
  }

  for (const destination of [
    '',
    '/spring',
    '//go.acme.test/',
    'go.acme.test/',
    'ftp://go.acme.test/',
    'javascript://go.acme.test/%0aalert(1)',
    'data:text/html,go.acme.test',
    'https://evil.test/',
    'https://evil.test/go.acme.test',
    'https://evil.test#@go.acme.test/',
    'https://evil.test?go.acme.test',
    'https://go.acme.test.evil.test/',
    'https://www.go.acme.test/',
    'https://acme.test/',
    'https://go.acme.test@evil.test/',
    'https://user@go.acme.test/',
    'https://user:pass@go.acme.test/',
    'https://:@go.acme.test/',
    'https://@go.acme.test/',
    'https:go.acme.test',
    'https:/go.acme.test/',
    'https:///go.acme.test/',
    'https:\\\\go.acme.test\\',
    'https://go.acme.test\\@evil.test/',
    'https://go.acme.test\\.evil.test/',
    'https://evil.test\\go.acme.test/',
    ' https://go.acme.test/',
    'https://go.acme.test/ ',
    'https://go.acme.test/a\tb',
    'https://go.acme.test/\r\nSet-Cookie: a=b',
    'https://go.acme.test/\u0000',
    'java\nscript:alert(1)',
    'https://go.acme.test..',
    'https://go.acme.test%2eevil.test/',
    'https://go.acme.test:99999/',
    'https://[go.acme.test]/',
  ]) {
    test(`${JSON.stringify(destination)} is refused`, () => {
      expect(allowed(destination)).toBe(false)
    })
  }

  test('an address and a name that was set up for it are two hosts', () => {
    expect(clickDestinationAllowed('http://localhost:8080/', '127.0.0.1', preview)).toBe(false)
    expect(clickDestinationAllowed('http://127.0.0.1:8080/', '127.0.0.1', preview)).toBe(true)
  })

  test('what is allowed leads, by the URL parser, to one of the two hosts over http or https', () => {
    const piece = fc.constantFrom(
      'https:',
      'http:',
      '//',
      '/',
      '\\',
      '@',
      served,
      '.evil.test',
      ':',
      '8443',
      '?',
      '#',
      '.',
      ' ',
      '\t',
      '%2f',
      '%40',
      'javascript:',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const destination = pieces.join('')
        if (!allowed(destination)) return
        const { protocol, hostname, username, password } = new URL(destination)
        expect(['http:', 'https:']).toContain(protocol)
        expect([served, `${served}.`]).toContain(hostname)
        expect(username + password).toBe('')
      }),
      { numRuns: 20_000 },
    )
  })
})
