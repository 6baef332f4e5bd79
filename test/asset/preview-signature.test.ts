import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { judgePreview, type PreviewAddress, signedPreviewQuery } from '../../src/asset/preview-signature.ts'
import { signingKeys } from '../account/sample-signing-keys.ts'

const address = (overrides: Partial<PreviewAddress> = {}): PreviewAddress => ({
  accountId: '0197f0a0-0000-7000-8000-00000000000a',
  path: '/_preview/img/k3x9a0b1',
  ...overrides,
})
const exp = 2_000_000_000
const keys = signingKeys()
const signed = signedPreviewQuery(address(), exp, keys)

const verified = (query: string, { at = address(), now = 0, by = keys } = {}): boolean =>
  judgePreview(at, new URLSearchParams(query), { keys: by, now }).verdict === 'valid'

describe('preview signature', () => {
  test('is the expiry in seconds and 43 characters of base64url', () => {
    expect(signed).toMatch(/^exp=2000000000&sig=[A-Za-z0-9_-]{43}$/)
  })

  test('verifies for any path, account and time to come', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), fc.integer({ min: 1, max: 999_999_999_999 }), (accountId, path, expires) => {
        const query = signedPreviewQuery({ accountId, path }, expires, keys)
        expect(verified(query, { at: { accountId, path }, now: expires * 1000 - 1 })).toBe(true)
      }),
    )
  })

  test('expires at its second, not after it', () => {
    expect(verified(signed, { now: exp * 1000 - 1 })).toBe(true)
    expect(verified(signed, { now: exp * 1000 })).toBe(false)
  })

  test('is of one path', () => {
    expect(verified(signed, { at: address({ path: '/_preview/file/k3x9a0b1' }) })).toBe(false)
  })

  test('is of one account', () => {
    expect(verified(signed, { at: address({ accountId: '0197f0a0-0000-7000-8000-00000000000b' }) })).toBe(false)
  })

  test('says when it expired, of an address that was right', () => {
    expect(judgePreview(address(), new URLSearchParams(signed), { keys, now: exp * 1000 })).toEqual({
      verdict: 'expired',
      expiredAt: exp * 1000,
    })
  })

  test('calls an expired address wrong that never was right', () => {
    const other = new URLSearchParams(signedPreviewQuery(address({ path: '/_preview/other' }), exp, keys))
    expect(judgePreview(address(), other, { keys, now: exp * 1000 })).toEqual({ verdict: 'wrong' })
  })

  describe('of a version', () => {
    const ofThree = signedPreviewQuery(address({ version: 3 }), exp, keys)

    test('names it', () => {
      const judged = judgePreview(address(), new URLSearchParams(ofThree), { keys, now: 0 })
      expect(judged).toEqual({ verdict: 'valid', version: 3, expiresAt: exp * 1000 })
    })

    test.each([
      ['of another one', ofThree.replace('v=3', 'v=4')],
      ['of whichever is current', ofThree.replace('&v=3', '')],
      ['of two', `${ofThree}&v=3`],
      ['of one written otherwise', ofThree.replace('v=3', 'v=03')],
      ['of an empty one', ofThree.replace('v=3', 'v=')],
      ['of any, where none was signed', `${signed}&v=3`],
      ['of an empty one, where none was signed', `${signed}&v=`],
    ])('does not make an address %s', (_what, query) => {
      expect(verified(query)).toBe(false)
    })
  })

  test('does not verify once the key was rotated', () => {
    expect(verified(signed, { by: signingKeys('2') })).toBe(false)
  })

  const sig = signed.slice(signed.indexOf('sig=') + 4)
  for (const query of [
    '',
    `exp=${exp}`,
    `sig=${sig}`,
    `exp=${exp + 1}&sig=${sig}`,
    `exp=0${exp}&sig=${sig}`,
    `exp=+${exp}&sig=${sig}`,
    `exp=2e9&sig=${sig}`,
    `exp=&sig=${sig}`,
    `exp=${exp}&sig=`,
    `exp=${exp}&exp=${exp}&sig=${sig}`,
    `exp=${exp}&sig=${sig}&sig=${sig}`,
    `exp=${exp}&sig=${sig}=`,
    `exp=${exp}&SIG=${sig}`,
  ]) {
    test(`"${query}" is refused`, () => {
      expect(verified(query)).toBe(false)
    })
  }

  test('a change of any one character is refused', () => {
    fc.assert(
      fc.property(fc.nat({ max: signed.length - 1 }), fc.string({ unit: 'grapheme', maxLength: 2 }), (at, put) => {
        const forged = signed.slice(0, at) + put + signed.slice(at + 1)
        const read = new URLSearchParams(forged)
        fc.pre(read.get('exp') !== String(exp) || read.get('sig') !== sig || read.size !== 2)
        expect(verified(forged)).toBe(read.get('exp') === String(exp) && read.get('sig') === sig && isOnce(read))
      }),
      { numRuns: 1000 },
    )
  })
})

/** A foreign parameter beside ours changes nothing: mail programs and advertisers add theirs. */
const isOnce = (query: URLSearchParams): boolean => query.getAll('exp').length === 1 && query.getAll('sig').length === 1
