import { describe, expect, test } from 'bun:test'
import { mintSigningKey, SigningKeys } from '../../src/account/signing-key.ts'
import { newShareId, shareToken, verifiedShare } from '../../src/console/share/report-share.ts'

const now = 1_800_000_000_000
const key = mintSigningKey('share', 0)
const keys = new SigningKeys([key, mintSigningKey('preview', 0)])
const claim = { id: newShareId(), expiresAtSeconds: now / 1000 + 60 }

describe('the token of a shared report', () => {
  test('says which report, until it expires', () => {
    const token = shareToken(claim, keys)
    expect(verifiedShare(token, keys, now)).toEqual(claim)
    expect(verifiedShare(token, keys, now + 59_999)).toEqual(claim)
    expect(verifiedShare(token, keys, now + 60_000)).toBeNull()
  })

  test('is good for nothing with any one character changed', () => {
    const token = shareToken(claim, keys)
    const changed = [...token].map(
      (character, at) => token.slice(0, at) + (character === 'a' ? 'b' : 'a') + token.slice(at + 1),
    )
    expect(changed.filter((text) => verifiedShare(text, keys, now) !== null)).toEqual([])
  })

  test('is not that of another box, nor of a key that was replaced', () => {
    const token = shareToken(claim, keys)
    expect(verifiedShare(token, new SigningKeys([mintSigningKey('share', 0)]), now)).toBeNull()
    const replaced = new SigningKeys([{ ...key, verifiesUntil: now }, mintSigningKey('share', now)])
    expect(verifiedShare(token, replaced, now)).toBeNull()
  })
})
