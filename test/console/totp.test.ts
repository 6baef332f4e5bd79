import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { base32, base32Bytes, newTotpSecret, totpCode, totpStep, totpUri } from '../../src/console/sign-in/totp.ts'

const rfcSecret = new TextEncoder().encode('12345678901234567890')

// RFC 6238 appendix B has eight digits; six are the last six of them.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %d s the code of the RFC is %s', (seconds, code) => {
  expect(totpCode(rfcSecret, Math.floor(seconds / 30))).toBe(code)
})

test('a code counts in its own step and in those beside it, in no other', () => {
  const now = 1_700_000_000_000
  const step = Math.floor(now / 30_000)
  const stepOf = (of: number) => totpStep(rfcSecret, totpCode(rfcSecret, of), now)
  expect([step - 2, step - 1, step, step + 1, step + 2].map(stepOf)).toEqual([null, step - 1, step, step + 1, null])
})

test('a code may be typed with spaces, and nothing else is one', () => {
  const code = totpCode(rfcSecret, 100)
  expect(totpStep(rfcSecret, `${code.slice(0, 3)} ${code.slice(3)}`, 3_000_000)).toBe(100)
  for (const text of ['', 'abcdef', `${code}0`, `-${code.slice(1)}`])
    expect(totpStep(rfcSecret, text, 3_000_000)).toBeNull()
})

test('base32 is that of RFC 4648', () => {
  expect(base32(new TextEncoder().encode('foobar'))).toBe('MZXW6YTBOI')
})

test('a secret comes back from its base32', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (secret) => {
      expect(base32Bytes(base32(secret))).toEqual(secret)
    }),
  )
})

test.each(['', 'abc', 'MZXW6YTBOI', '0'.repeat(32), 'a'.repeat(32)])('%p is no secret', (text) => {
  expect(base32Bytes(text)).toBeNull()
})

test('the address for authenticator apps escapes what it names', () => {
  const uri = new URL(totpUri(newTotpSecret(), { email: 'a+b@c.example', issuer: 'Capture & co' }))
  expect(uri.protocol).toBe('otpauth:')
  expect(uri.searchParams.get('issuer')).toBe('Capture & co')
  expect(uri.href).not.toContain(' ')
})
