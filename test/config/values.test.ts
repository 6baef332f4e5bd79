import { describe, expect, test } from 'bun:test'
import { parseCidr, parseListen, parsePublicUrl } from '../../src/config/values.ts'

describe('listen', () => {
  test.each([
    ['127.0.0.1:8080', '127.0.0.1', 8080],
    ['0.0.0.0:80', '0.0.0.0', 80],
    ['[::1]:8080', '::1', 8080],
    ['[::]:8080', '::', 8080],
    ['localhost:0', 'localhost', 0],
  ])('reads %s', (text, host, port) => {
    expect(parseListen(text)).toEqual({ value: { host, port } })
  })

  test.each([
    '',
    '8080',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:-1',
    '256.0.0.1:80',
    '::1:8080',
    '[::1]',
    '[127.0.0.1]:80',
    'example.com:80',
    'http://127.0.0.1:80',
    '[fe80::1%eth0]:80',
  ])('refuses %p', (text) => {
    expect(parseListen(text)).not.toHaveProperty('value')
  })

  test('refuses a port without an address, and says how every interface is written', () => {
    expect(parseListen(':8080')).toEqual({ expected: expect.stringContaining('"0.0.0.0:8080"') })
  })
})

describe('public_url', () => {
  test.each([
    ['auto', 'auto'],
    ['http', { scheme: 'http', port: null }],
    ['https', { scheme: 'https', port: null }],
    ['https:8443', { scheme: 'https', port: 8443 }],
    ['http:8080', { scheme: 'http', port: 8080 }],
  ] as const)('reads %s', (text, value) => {
    expect(parsePublicUrl(text)).toEqual({ value })
  })

  test.each(['', 'HTTPS', 'ftp', 'https:', 'https:0', 'https:65536', 'https://x', 'auto:80'])('refuses %p', (text) => {
    expect(parsePublicUrl(text)).not.toHaveProperty('value')
  })
})

describe('trusted_proxies', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['::1/128', '::1/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['127.0.0.1', '127.0.0.1/32'],
    ['2001:db8::1', '2001:db8::1/128'],
  ])('takes %s as %s', (text, value) => {
    expect(parseCidr(text)).toEqual({ value })
  })

  test.each([
    '',
    '10.0.0/8',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    'localhost',
    '*',
    '10.0.0.0/255.0.0.0',
  ])('refuses %p', (text) => {
    expect(parseCidr(text)).not.toHaveProperty('value')
  })
})
