import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SigningKeys } from '../../src/account/signing-key.ts'
import {
  type ClickLink,
  clickTokenCharactersMax,
  messageId,
  signClickToken,
  VerifiedLinks,
  verifyClickToken,
} from '../../src/capture/click-token.ts'
import { recipientId } from '../../src/capture/recipient-id.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'
import { signingKey, signingKeys } from '../account/sample-signing-keys.ts'

const account = '0197f0a0-0000-7000-8000-00000000000a'
const keys = signingKeys()

const link = (overrides: Partial<ClickLink> = {}): ClickLink => ({
  message: 'spring-2026',
  recipient: recipientId(account, 'zoe.lovelace@example.test', keys.current('click')),
  sentAt: 1_795_000_000_000,
  destination: 'https://go.acme.test/spring?utm_source=mail',
  ...overrides,
})

const signed = (overrides: Partial<ClickLink> = {}): string =>
  signClickToken(link(overrides), account, keys.current('click')) ?? ''

const verified = (token: string, { accountId = account, now = 0, by = keys } = {}): ClickLink | null =>
  verifyClickToken(token, { accountId, keys: by, now })

describe('click token', () => {
  test('says what was signed', () => {
    expect(verified(signed())).toEqual(link())
  })

  test('says what was signed, for any mail and destination', () => {
    fc.assert(
      fc.property(
        fc.option(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:+=-]{0,50}$/)),
        fc.option(fc.stringMatching(/^[a-z0-9]{6}\.[A-Za-z0-9_-]{22}$/)),
        fc.nat({ max: 8e15 }),
        fc.webUrl({ withQueryParameters: true, withFragments: true, size: 'medium' }),
        (message, recipient, sentAt, url) => {
          const destination = new URL(url).href
          fc.pre(destination.length < 1000)
          const sent = link({ message, recipient, sentAt, destination })
          expect(verified(signClickToken(sent, account, keys.current('click')) ?? '')).toEqual(sent)
        },
      ),
    )
  })

  test('is safe in a URL and in plain text, where the last character must not be punctuation', () => {
    expect(signed()).toMatch(/^[A-Za-z0-9._-]+[a-z0-9]$/)
  })

  test('holds its destination as the URL parser writes it', () => {
    const token = signed({ destination: 'HTTPS://GO.acme.test:443/a b/../ü' })
    expect(verified(token)?.destination).toBe('https://go.acme.test/%C3%BC')
  })

  test('no e-mail address can be read out of it', () => {
    const readable = signed()
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join(' ')
    expect(readable + signed()).not.toMatch(/@|zoe|lovelace|example/i)
  })

  test('has at most 2,000 characters', () => {
    const longest = 'https://go.acme.test/'.padEnd(1290, 'x')
    expect(signed({ destination: longest }).length).toBeWithin(1800, clickTokenCharactersMax + 1)
  })

  test('is not made when it would be longer', () => {
    const destination = 'https://go.acme.test/'.padEnd(1450, 'x')
    expect(signClickToken(link({ destination }), account, keys.current('click'))).toBeNull()
  })

  test('is unknown to another account', () => {
    expect(verified(signed(), { accountId: '0197f0a0-0000-7000-8000-00000000000b' })).toBeNull()
  })

  test('is unknown to another box, even with a key of the same id', () => {
    const forged = signingKey({ purpose: 'click', id: keys.current('click').id, secret: new Uint8Array(32) })
    expect(verified(signed(), { by: new SigningKeys([forged]) })).toBeNull()
  })

  test('is not signed by a cookie key', () => {
    const cookieKey = keys.current('cookie')
    expect(verified(signClickToken(link(), account, cookieKey) ?? '')).toBeNull()
  })

  test('after a rotation it verifies until its key does no more', () => {
    const old = { ...keys.current('click'), verifiesUntil: 9_000 }
    const after = new SigningKeys([old, signingKey({ purpose: 'click', id: 'new1' })])
    expect(verified(signed(), { by: after, now: 8_999 })).toEqual(link())
    expect(verified(signed(), { by: after, now: 9_000 })).toBeNull()
  })

  test('a change of any one character is refused', () => {
    const token = signed()
    fc.assert(
      fc.property(fc.nat({ max: token.length }), fc.string({ unit: 'grapheme', maxLength: 3 }), (at, put) => {
        const forged = token.slice(0, at) + put + token.slice(at + 1)
        fc.pre(forged !== token)
        expect(verified(forged)).toBeNull()
      }),
      { numRuns: 2000 },
    )
  })

  test('parts of two valid tokens do not make a third', () => {
    const [a, b] = [signed().split('.'), signed({ message: 'summer' }).split('.')]
    expect(verified([a[0], a[1], b[2], a[3]].join('.'))).toBeNull()
  })

  test('nothing that anybody sends makes it throw', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('1.', '.', ...signed().split('.')))),
        (parts) => {
          expect(verified(parts.join(''))).toBeNull()
        },
      ),
    )
  })

  test('a token of a later format is not guessed at', () => {
    expect(verified(signed().replace(/^1/, '2'))).toBeNull()
  })
})

describe('a link that was verified before', () => {
  const again = (verifiedLinks: VerifiedLinks, { accountId = account, now = 0, by = keys } = {}): ClickLink | null =>
    verifyClickToken(signed(), { accountId, keys: by, now }, verifiedLinks)

  test('is not verified again', () => {
    const verifiedLinks = new VerifiedLinks()
    const first = again(verifiedLinks)
    expect(first).toEqual(link())
    expect(again(verifiedLinks)).toBe(first)
  })

  test('is refused from the instant at which its key verifies no more', () => {
    const old = { ...keys.current('click'), verifiesUntil: 9_000 }
    const by = new SigningKeys([old, signingKey({ purpose: 'click', id: 'new1' })])
    const verifiedLinks = new VerifiedLinks()
    expect(again(verifiedLinks, { by, now: 8_999 })).toEqual(link())
    expect(again(verifiedLinks, { by, now: 9_000 })).toBeNull()
  })

  test('is refused once its key was removed', () => {
    const verifiedLinks = new VerifiedLinks()
    again(verifiedLinks)
    expect(again(verifiedLinks, { by: new SigningKeys([signingKey({ purpose: 'click', id: 'new1' })]) })).toBeNull()
  })

  test('is unknown to another account', () => {
    const verifiedLinks = new VerifiedLinks()
    again(verifiedLinks)
    expect(again(verifiedLinks, { accountId: '0197f0a0-0000-7000-8000-00000000000b' })).toBeNull()
  })

  test('was not remembered if it was forged', () => {
    const verifiedLinks = new VerifiedLinks()
    const forged = signed().replace(/.{10}$/, 'aaaaa.aaaa')
    verifyClickToken(forged, { accountId: account, keys, now: 0 }, verifiedLinks)
    expect(verifiedLinks.get(forged)).toBeUndefined()
  })
})

describe('message id', () => {
  for (const text of ['spring', '2026-03.a:b_c+d=e', 'x'.repeat(100)]) {
    test(`${text.slice(0, 20)} is one`, () => {
      expect(messageId(text)).toBe(text)
    })
  }

  for (const text of ['', '-a', 'a b', 'ada@example.test', '<1@mail.test>', 'ü', 'a\n', 'x'.repeat(101)]) {
    test(`${JSON.stringify(text.slice(0, 20))} is none`, () => {
      expect(() => messageId(text)).toThrow(OperatorError)
    })
  }
})
