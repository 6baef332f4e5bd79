import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type IdentityCookieContext,
  identityCookieHeader,
  readIdentityCookie,
} from '../../src/account/identity-cookie.ts'
import { SigningKeys } from '../../src/account/signing-key.ts'
import { signingKey, signingKeys } from './sample-signing-keys.ts'

const device = '0197f0a0-1111-7abc-8def-001122334455'
const other = '0197f0a0-2222-7abc-8def-001122334455'

const context = (overrides: Partial<IdentityCookieContext> = {}): IdentityCookieContext => ({
  accountId: '0197f0a0-0000-7000-8000-00000000000a',
  secure: true,
  keys: signingKeys(),
  now: 5_000,
  ...overrides,
})

/** `name=value`, as a browser sends back what it was given. */
const cookie = (deviceId = device, overrides: Partial<IdentityCookieContext> = {}): string =>
  identityCookieHeader(deviceId, context(overrides)).split(';')[0] ?? ''

describe('identity cookie', () => {
  test('over HTTPS it has the __Host- name and is Secure', () => {
    expect(identityCookieHeader(device, context())).toMatch(
      /^__Host-svc_id=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('over plain HTTP it has the plain name and is not Secure', () => {
    expect(identityCookieHeader(device, context({ secure: false }))).toMatch(
      /^svc_id=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('its value begins with the device and needs no quoting', () => {
    expect(cookie()).toMatch(/^__Host-svc_id=0197f0a0-1111-7abc-8def-001122334455\.[A-Za-z0-9._-]+$/)
  })

  for (const secure of [true, false]) {
    test(`any device is read back (${secure ? 'HTTPS' : 'HTTP'})`, () => {
      fc.assert(
        fc.property(fc.uuid(), (id) => {
          expect(readIdentityCookie(cookie(id, { secure }), context({ secure }))).toBe(id)
        }),
      )
    })
  }

  test('no header is no device', () => {
    expect(readIdentityCookie(null, context())).toBeNull()
  })

  test('it is found among other cookies, with and without white space', () => {
    const headers = [`a=1; ${cookie()}; b=2`, `a=1;${cookie()};b=2`, ` ${cookie()} `, `x=svc_id=1; ${cookie()}`]
    expect(headers.map((header) => readIdentityCookie(header, context()))).toEqual(headers.map(() => device))
  })

  test('a cookie whose name only ends in ours is not ours', () => {
    expect(readIdentityCookie(`x${cookie()}; a=${cookie()}`, context())).toBeNull()
  })

  test('over HTTPS the plain cookie does not count, nor the other way round', () => {
    expect(readIdentityCookie(cookie(device, { secure: false }), context())).toBeNull()
    expect(readIdentityCookie(cookie(), context({ secure: false }))).toBeNull()
  })

  test('another account knows nothing of it', () => {
    expect(readIdentityCookie(cookie(), context({ accountId: '0197f0a0-0000-7000-8000-00000000000b' }))).toBeNull()
  })

  test('another box knows nothing of it, even with a key of the same id', () => {
    const forged = new SigningKeys([signingKey({ id: 'cooki1', secret: new Uint8Array(32) })])
    expect(readIdentityCookie(cookie(device, { keys: forged }), context())).toBeNull()
  })

  test('of several the first valid one wins', () => {
    const forged = cookie(device, { accountId: 'another' })
    expect(readIdentityCookie(`${forged}; ${cookie(other)}; ${cookie()}`, context())).toBe(other)
  })

  test('a valid one behind more forged ones than any browser sends is not looked for', () => {
    const forged = Array.from({ length: 10 }, () => cookie(device, { accountId: 'another' }))
    expect(readIdentityCookie([...forged, cookie()].join('; '), context())).toBeNull()
  })

  test('after a rotation the old cookie is read until its key verifies no more', () => {
    const before = new SigningKeys([signingKey({ id: 'old1' })])
    const after = new SigningKeys([signingKey({ id: 'old1', verifiesUntil: 9_000 }), signingKey({ id: 'new1' })])
    const old = cookie(device, { keys: before })
    expect(readIdentityCookie(old, context({ keys: after, now: 8_999 }))).toBe(device)
    expect(readIdentityCookie(old, context({ keys: after, now: 9_000 }))).toBeNull()
  })

  test('after a rotation a new cookie names the new key', () => {
    const keys = new SigningKeys([signingKey({ id: 'old1', verifiesUntil: 9_000 }), signingKey({ id: 'new1' })])
    expect(cookie(device, { keys })).toContain('.new1.')
  })

  test('a change of any one character makes it invalid', () => {
    const valid = cookie()
    const start = valid.indexOf('=') + 1
    fc.assert(
      fc.property(
        fc.integer({ min: start, max: valid.length - 1 }),
        fc.string({ unit: 'grapheme', minLength: 0, maxLength: 3 }),
        (at, put) => {
          const forged = valid.slice(0, at) + put + valid.slice(at + 1)
          // A semicolon ends the value, and white space around it is not part of it.
          fc.pre(forged.trimEnd() !== valid && forged.split(';')[0]?.trimEnd() !== valid)
          expect(readIdentityCookie(forged, context())).toBeNull()
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('no header makes it throw', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('__Host-svc_id=', '; ', cookie()))), (parts) => {
        expect([null, device]).toContain(readIdentityCookie(parts.join(''), context()))
      }),
    )
  })

  const hostile = {
    'our name again and again': '__Host-svc_id='.repeat(1170),
    'semicolons alone': ';'.repeat(16_384),
    'forged cookies': Array.from({ length: 140 }, () => cookie(device, { accountId: 'another' })).join('; '),
    'white space before each of our names': `${' '.repeat(100)}__Host-svc_id=`.repeat(143),
  }
  for (const [what, header] of Object.entries(hostile)) {
    test(`16 KB of ${what} are no device, and quickly: a walk over them for each name would take 100 ms`, () => {
      const asked = context()
      // The fastest of many: a busy machine slows some of them, a walk for each name slows all.
      const fastestMs = Math.min(
        ...Array.from({ length: 20 }, () => {
          const startedMs = performance.now()
          expect(readIdentityCookie(header.slice(0, 16_384), asked)).toBeNull()
          return performance.now() - startedMs
        }),
      )
      expect(fastestMs).toBeLessThan(20)
    })
  }

  test('a longer header than any server takes is not read', () => {
    expect(readIdentityCookie(`${cookie()}; a=${'x'.repeat(20_000)}`, context())).toBeNull()
  })
})
