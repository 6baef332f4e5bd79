import { expect, test } from 'bun:test'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { newAccountKey, readAccountKey } from '../../../src/https/acme/account-key.ts'
import { selfSigned } from '../../harness/self-signed.ts'

test('a new account key is a private ECDSA P-256 key', () => {
  expect(createPrivateKey(newAccountKey()).asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
})

test('two new account keys differ', () => {
  expect(newAccountKey()).not.toBe(newAccountKey())
})

test('the public half is that of the key', () => {
  const { jwk } = readAccountKey(selfSigned.key)
  const expected = createPublicKey(selfSigned.cert).export({ format: 'jwk' })
  expect({ ...jwk }).toEqual({ crv: 'P-256', kty: 'EC', x: String(expected.x), y: String(expected.y) })
})

test('the thumbprint is the hash of the members in the order of RFC 7638', () => {
  const { jwk, thumbprint } = readAccountKey(selfSigned.key)
  const text = `{"crv":"P-256","kty":"EC","x":"${jwk.x}","y":"${jwk.y}"}`
  expect(thumbprint).toBe(new Bun.CryptoHasher('sha256').update(text).digest('base64url'))
})

test.each([
  ['no PEM', 'secret'],
  ['the PEM of a certificate', selfSigned.cert],
])('%s is no account key', (_, text) => {
  expect(() => readAccountKey(text)).toThrow()
})
