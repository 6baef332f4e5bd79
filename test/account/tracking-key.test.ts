import { describe, expect, test } from 'bun:test'
import {
  matchesTrackingKey,
  mintTrackingKey,
  trackingKeyFingerprint,
  trackingKeyPattern,
} from '../../src/account/tracking-key.ts'

const key = `svc_tk_${'A1b2'.repeat(8)}`
const fingerprint = trackingKeyFingerprint(key)
const other = trackingKeyFingerprint(`svc_tk_${'x'.repeat(32)}`)
const now = 1000

describe('a tracking key', () => {
  test('is minted in its own format', () => {
    expect(mintTrackingKey()).toMatch(trackingKeyPattern)
  })

  test('is minted anew each time', () => {
    expect(mintTrackingKey()).not.toBe(mintTrackingKey())
  })

  test.each([key.slice(0, -1), `${key}A`, `${key}\n`, key.replace('svc', 'SVC'), `${key.slice(0, -1)}-`, ''])(
    'does not look like %j',
    (text) => expect(text).not.toMatch(trackingKeyPattern),
  )

  test('has its SHA-256 in lower-case hex as fingerprint', () => {
    expect(trackingKeyFingerprint('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('matches among several', () => {
    const records = [other, fingerprint].map((print) => ({ fingerprint: print, validUntil: null }))
    expect(matchesTrackingKey(key, records, now)).toBe(true)
  })

  test('does not match another key', () => {
    expect(matchesTrackingKey(key, [{ fingerprint: other, validUntil: null }], now)).toBe(false)
  })

  test('does not match once revoked', () => {
    expect(matchesTrackingKey(key, [{ fingerprint: null, validUntil: null }], now)).toBe(false)
  })

  test('matches during the overlap after a rotation', () => {
    expect(matchesTrackingKey(key, [{ fingerprint, validUntil: now + 1 }], now)).toBe(true)
  })

  test('does not match from the end of the overlap on', () => {
    expect(matchesTrackingKey(key, [{ fingerprint, validUntil: now }], now)).toBe(false)
  })

  test('does not match a fingerprint of the wrong length', () => {
    expect(matchesTrackingKey(key, [{ fingerprint: fingerprint.slice(1), validUntil: null }], now)).toBe(false)
  })
})
