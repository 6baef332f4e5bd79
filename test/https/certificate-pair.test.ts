import { describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { checkedPair, expiryFault } from '../../src/https/certificate-pair.ts'
import { certificateWith, makeCertificate } from '../harness/certificates.ts'

const host = 'go.acme.test'
const good = makeCertificate(host)
const other = makeCertificate(host)
const now = Date.now()
const dayMs = 86_400_000

const faultOf = (text: { certificate?: string; key?: string }, { name = host, at = Date.now() } = {}) => {
  const verdict = checkedPair(name, { ...good, ...text }, at)
  return 'fault' in verdict ? verdict.fault : null
}

test('a pair for the host is good', () => {
  const expiresAt = new X509Certificate(good.certificate).validToDate.getTime()
  expect(checkedPair(host, good, now)).toEqual({ pair: { host, expiresAt, ...good } })
})

test('one for every name of a level is good for each', () => {
  expect(faultOf(makeCertificate('*.acme.test'))).toBeNull()
})

test.each([
  ['ECDSA P-384', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1']],
  ['RSA with 2048 bits', ['-newkey', 'rsa:2048']],
])('one with %s is good', (_, key) => {
  expect(faultOf(certificateWith(key, host))).toBeNull()
})

describe('a pair is refused', () => {
  test.each([
    ['Ed25519', 'ed25519', ['-newkey', 'ed25519']],
    ['ECDSA P-521', 'secp521r1', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp521r1']],
    ['RSA with 1024 bits', 'RSA with 1024 bits', ['-newkey', 'rsa:1024']],
  ])('whose key is %s, which browsers do not accept', (_, named, key) => {
    expect(faultOf(certificateWith(key, host))).toStartWith(`browsers do not accept its kind of key (${named})`)
  })

  test('whose certificate is no PEM', () => {
    expect(faultOf({ certificate: 'hello' })).toStartWith('the certificate is not PEM')
  })

  test('whose key is no PEM', () => {
    expect(faultOf({ key: '' })).toStartWith('the private key is not PEM')
  })

  test('whose key is of another certificate', () => {
    expect(faultOf({ key: other.key })).toStartWith('the private key does not belong to the certificate')
  })

  test('for another host, with the hosts it is for', () => {
    expect(faultOf({}, { name: 'www.acme.test' })).toBe('the certificate is for go.acme.test')
  })

  test('that has expired', () => {
    expect(faultOf({}, { at: now + 31 * dayMs })).toStartWith('the certificate expired at 20')
  })

  test('that is not valid yet', () => {
    expect(faultOf({}, { at: now - dayMs })).toStartWith('the certificate is not valid before 20')
  })

  test('with junk behind the first certificate, which would stop the listener for all', () => {
    const junk = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
    expect(faultOf({ certificate: good.certificate + junk })).toStartWith('the certificates after the first')
  })
})

test('a certificate in use is said to have expired once it has', () => {
  expect(expiryFault(good, now)).toBeNull()
  expect(expiryFault(good, now + 31 * dayMs)).toStartWith('the certificate expired')
})
