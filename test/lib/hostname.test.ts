import { describe, expect, test } from 'bun:test'
import { readHostname } from '../../src/lib/hostname.ts'

describe('readHostname', () => {
  test.each([
    ['go.acme.example', 'go.acme.example'],
    ['GO.Acme.Example', 'go.acme.example'],
    ['go.acme.example.', 'go.acme.example'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['Müller.example', 'xn--mller-kva.example'],
    ['xn--mller-kva.example', 'xn--mller-kva.example'],
  ])('reads %s as %s', (text, hostname) => {
    expect(readHostname(text)).toEqual({ value: hostname })
  })

  test.each([
    ['https://go.acme.example', 'without http'],
    ['go.acme.example/x', 'without a path'],
    ['go.acme.example:8080', 'without a port'],
    ['*.acme.example', 'without *'],
  ])('says what is too much in %s', (text, hint) => {
    expect(readHostname(text)).toEqual({ expected: expect.stringContaining(hint) })
  })

  test.each([
    '',
    '.',
    'a..b',
    '-a.example',
    'a-.example',
    'a_b.example',
    'a b.example',
    '1.2.3.4.5',
    '127.1',
    '0x7f.0.0.1',
    '[::1]',
    '::1',
    'user@host',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
  ])('refuses %p', (text) => {
    expect(readHostname(text)).toHaveProperty('expected')
  })
})
