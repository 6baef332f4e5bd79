import { expect, test } from 'bun:test'
import { issuedPair } from '../../../src/https/acme/ordering.ts'
import { makeCertificate } from '../../harness/certificates.ts'

const url = 'https://ca.test/cert/1'

test('a chain for another host than the one it was ordered for is refused', () => {
  const { certificate, key } = makeCertificate('other.test')
  const answer = { url, status: 200, headers: new Headers(), text: certificate }
  expect(() => issuedPair(answer, key, 'shop.test')).toThrow(
    'sent a certificate for DNS:other.test instead of shop.test',
  )
  expect(issuedPair(answer, key, 'other.test').key).toBe(key)
})
