import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { isSameText, macCharacters, sign, verifies } from '../../src/lib/sign.ts'

const secret = new Uint8Array(32).fill(7)
const base64url = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']

describe('signing', () => {
  test('is HMAC-SHA256 as RFC 4231 test case 2 has it', () => {
    const hex = Buffer.from(
      sign(new TextEncoder().encode('Jefe'), 'what do ya want for nothing?'),
      'base64url',
    ).toString('hex')
    expect(hex).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  })

  test('of one text does not depend on what else the secret signed', () => {
    const texts = ['one', 'another', '', 'one']
    const expected = texts.map((text) => createHmac('sha256', secret).update(text).digest('base64url'))
    expect(texts.map((text) => sign(secret, text))).toEqual(expected)
  })

  test('agrees with another implementation, for any text and secret', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), fc.string({ unit: 'binary' }), (key, text) => {
        expect(sign(key, text)).toBe(createHmac('sha256', key).update(text).digest('base64url'))
      }),
    )
  })

  test('a MAC has the same number of characters whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => sign(secret, text).length === macCharacters))
  })

  test('what was signed verifies', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => verifies(secret, text, sign(secret, text))))
  })

  test('no other character in any place of a MAC verifies, not even another spelling of the same bytes', () => {
    const mac = sign(secret, 'text')
    const forged = [...mac].flatMap((_, at) => base64url.map((other) => mac.slice(0, at) + other + mac.slice(at + 1)))
    expect(forged.filter((other) => other !== mac && verifies(secret, 'text', other))).toEqual([])
  })

  test('a MAC that is longer, shorter, empty or not ASCII does not verify', () => {
    const mac = sign(secret, 'text')
    const odd = [`${mac}=`, mac.slice(1), '', '€'.repeat(macCharacters), `${mac.slice(0, -1)}é`]
    expect(odd.map((other) => verifies(secret, 'text', other))).toEqual(odd.map(() => false))
  })

  test('another secret or text does not verify', () => {
    const other = new Uint8Array(32).fill(8)
    expect([verifies(other, 'text', sign(secret, 'text')), verifies(secret, 'Text', sign(secret, 'text'))]).toEqual([
      false,
      false,
    ])
  })
})

test('two texts are the same exactly when no character differs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      expect(isSameText(one, other)).toBe(one === other)
      expect(isSameText(one, `${one}`)).toBe(true)
      expect(isSameText(`${one}a`, `${one}b`)).toBe(false)
    }),
  )
})
