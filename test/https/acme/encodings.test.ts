import { describe, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { externalBinding, newAccountKey, readAccountKey, signedRequest } from '../../../src/https/acme/account-key.ts'
import { NoncePool, nonceIn } from '../../../src/https/acme/acme-connection.ts'
import { makeCertificateRequest } from '../../../src/https/acme/ordering.ts'
import { cleanedText } from '../../../src/https/acme/problem.ts'

const key = readAccountKey(newAccountKey())
const decoded = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())
const nonces = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/)

describe('a signed request', () => {
  test('is verified by the public key, whatever it says', () => {
    const publicKey = createPublicKey({ key: { ...key.jwk }, format: 'jwk' })
    fc.assert(
      fc.property(
        fc.webUrl(),
        fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
        nonces,
        (url, payload, nonce) => {
          const jws = JSON.parse(signedRequest(url, payload, nonce, { key, kid: null })) as Record<string, string>
          const signature = Buffer.from(jws.signature ?? '', 'base64url')
          const input = Buffer.from(`${jws.protected}.${jws.payload}`)
          expect(signature).toHaveLength(64)
          expect(verify('sha256', input, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
          expect(decoded(jws.protected ?? '')).toEqual({ alg: 'ES256', nonce, url, jwk: { ...key.jwk } })
          expect(decoded(jws.payload ?? '')).toEqual(JSON.parse(JSON.stringify(payload)))
          expect(`${jws.protected}${jws.payload}${jws.signature}`).toMatch(/^[A-Za-z0-9_-]+$/)
        },
      ),
    )
  })

  test('of an account names it, and not its key', () => {
    const jws = JSON.parse(signedRequest('https://ca.test/order', {}, 'n', { key, kid: 'https://ca.test/acct/1' }))
    expect(decoded(jws.protected)).toEqual({
      alg: 'ES256',
      nonce: 'n',
      url: 'https://ca.test/order',
      kid: 'https://ca.test/acct/1',
    })
  })

  test('of POST-as-GET has an empty payload, not an empty object', () => {
    expect(JSON.parse(signedRequest('https://ca.test/', '', 'n', { key, kid: 'a' })).payload).toBe('')
  })
})

test('an external binding holds the public key, signed with HMAC', () => {
  const hmac = new TextEncoder().encode('secret')
  const { protected: header, payload, signature } = externalBinding('https://ca.test/new', key.jwk, 'kid-1', hmac)
  expect(decoded(header)).toEqual({ alg: 'HS256', kid: 'kid-1', url: 'https://ca.test/new' })
  expect(decoded(payload)).toEqual({ ...key.jwk })
  expect(signature).toBe(new Bun.CryptoHasher('sha256', hmac).update(`${header}.${payload}`).digest('base64url'))
})

test('openssl verifies requests for certificates, and finds their host', () => {
  for (const host of [
    'a.test',
    'xn--bcher-kva.example',
    `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.shop`,
  ]) {
    const { request } = makeCertificateRequest(host)
    const { exitCode, stdout, stderr } = Bun.spawnSync(
      ['openssl', 'req', '-inform', 'DER', '-verify', '-noout', '-text', '-nameopt', 'RFC2253'],
      { stdin: request },
    )
    expect([exitCode, stderr.toString()]).toEqual([0, expect.stringContaining('verify OK')])
    expect(stdout.toString()).toContain(`DNS:${host}\n`)
    expect(stdout.toString()).toMatch(/Subject:\s*\n/)
  }
})

test('a nonce is taken once, the newest first, and no more than 64 are kept', () => {
  const pool = new NoncePool()
  for (let number = 0; number < 100; number++) pool.keep(String(number))
  const taken = Array.from({ length: 65 }, () => pool.take())
  expect([taken[0], taken[63], taken[64]]).toEqual(['99', '36', null])
})

test.each(['', 'a b', 'a+b', 'a=', 'x'.repeat(257), 'é'])('%p is no nonce', (text) => {
  expect(nonceIn(new Headers({ 'replay-nonce': text }))).toBeNull()
})

test('text of an authority, whatever it is, is one short printable line', () => {
  const hostile = fc.string({ unit: 'binary', maxLength: 3_000 })
  fc.assert(
    fc.property(hostile, (text) => {
      const cleaned = cleanedText(text)
      expect(cleaned).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
      expect(cleaned.length).toBeLessThanOrEqual(400)
      expect(cleaned.isWellFormed()).toBe(true)
    }),
  )
})
