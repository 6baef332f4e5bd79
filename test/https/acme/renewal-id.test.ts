import { expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { renewalId } from '../../../src/https/acme/renewal-id.ts'
import { selfSigned } from '../../harness/self-signed.ts'
import { certificateWith } from './certificate-with.ts'

/** RFC 9773 section 4.1. */
const exampleKey = '69:88:5b:6b:87:46:40:41:e1:b3:7b:84:7b:a0:ae:2c:de:01:c8:d4'.replaceAll(':', '')

test('the example of RFC 9773 has the id that stands there', () => {
  const certificate = certificateWith({ serial: '0087654321', authorityKey: exampleKey })
  expect(renewalId(certificate)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
})

test('a certificate that does not identify its issuer by key has no id', () => {
  expect(renewalId(certificateWith({ serial: '01', authorityKey: null }))).toBeNull()
})

test('what is no certificate has no id', () => {
  expect(renewalId('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')).toBeNull()
})

test('a certificate that openssl made has an id of its serial number', () => {
  const serial = renewalId(selfSigned.cert)?.split('.')[1] ?? ''
  const hex = Buffer.from(serial, 'base64url').toString('hex').toUpperCase()
  expect(hex).toBe(new X509Certificate(selfSigned.cert).serialNumber)
})

test('any serial number and key identifier come back byte for byte', () => {
  // DER writes a positive number with as few bytes as it takes, and with a zero byte before a high bit.
  const serials = fc
    .tuple(fc.integer({ min: 1, max: 255 }), fc.uint8Array({ maxLength: 18 }))
    .map(([first, rest]) => Buffer.from([...(first < 0x80 ? [] : [0]), first, ...rest]).toString('hex'))
  const keys = fc.uint8Array({ minLength: 1, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
  fc.assert(
    fc.property(serials, keys, (serial, authorityKey) => {
      const [key = '', number = ''] = renewalId(certificateWith({ serial, authorityKey }))?.split('.') ?? []
      expect([number, key].map((part) => Buffer.from(part, 'base64url').toString('hex'))).toEqual([
        serial,
        authorityKey,
      ])
    }),
  )
})
