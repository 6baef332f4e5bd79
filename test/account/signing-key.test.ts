import { describe, expect, test } from 'bun:test'
import { mintSigningKey, retiredKeyVerifiesUntil, SigningKeys } from '../../src/account/signing-key.ts'
import { signingKey } from './sample-signing-keys.ts'

const at = (now: number) => ({ accountId: 'account-a', now })

const dayMs = 24 * 60 * 60 * 1000

describe('signing keys', () => {
  test('a minted key has a short id, 32 bytes of secret, and is current', () => {
    const key = mintSigningKey('click', 5)
    expect(key).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{4,8}$/),
      purpose: 'click',
      secret: expect.any(Uint8Array),
      createdAt: 5,
      verifiesUntil: null,
    })
    expect(key.secret).toHaveLength(32)
  })

  test('two minted keys have nothing in common', () => {
    const [a, b] = [mintSigningKey('click', 5), mintSigningKey('click', 5)]
    expect(a.id).not.toBe(b.id)
    expect(a.secret).not.toEqual(b.secret)
  })

  test('the current key is the one that is not retired, whatever the order', () => {
    const old = signingKey({ id: 'old1', createdAt: 1, verifiesUntil: 10 })
    const current = signingKey({ id: 'new1', createdAt: 2 })
    expect(new SigningKeys([current, old]).current('cookie').id).toBe('new1')
    expect(new SigningKeys([old, current]).current('cookie').id).toBe('new1')
  })

  test('of two current keys the later one signs', () => {
    const keys = [signingKey({ id: 'new1', createdAt: 2 }), signingKey({ id: 'old1', createdAt: 1 })]
    expect(new SigningKeys(keys).current('cookie').id).toBe('new1')
  })

  test('a purpose without a key cannot sign', () => {
    expect(() => new SigningKeys([signingKey()]).current('click')).toThrow('There is no current click key')
  })

  test('a retired key verifies up to its instant and not at it', () => {
    const keys = new SigningKeys([signingKey({ id: 'old1', verifiesUntil: 100 })])
    expect(keys.verifying('cookie', 'old1', at(99))?.id).toBe('old1')
    expect(keys.verifying('cookie', 'old1', at(100))).toBeNull()
  })

  test('a key is of no use for another purpose', () => {
    expect(new SigningKeys([signingKey({ id: 'key1' })]).verifying('click', 'key1', at(0))).toBeNull()
  })

  test('an unknown id is no key', () => {
    expect(new SigningKeys([signingKey()]).verifying('cookie', 'constructor', at(0))).toBeNull()
  })

  test('all that verify are those of the purpose whose time has not passed, oldest first', () => {
    const keys = new SigningKeys([
      signingKey({ id: 'new1', createdAt: 3 }),
      signingKey({ id: 'old1', createdAt: 2, verifiesUntil: 100 }),
      signingKey({ id: 'gone', createdAt: 1, verifiesUntil: 50 }),
      signingKey({ id: 'clck', purpose: 'click' }),
    ])
    expect(keys.allVerifying('cookie', at(60)).map((key) => key.id)).toEqual(['old1', 'new1'])
  })

  test('a key that an account brought from another box verifies for that account alone, and signs nothing', () => {
    const moved = { ...signingKey({ id: 'moved1', createdAt: 1 }), accountId: 'account-a' }
    const keys = new SigningKeys([signingKey({ id: 'own1', createdAt: 2 })], [moved])
    expect(keys.verifying('cookie', 'moved1', at(5))?.id).toBe('moved1')
    expect(keys.verifying('cookie', 'moved1', { accountId: 'account-b', now: 5 })).toBeNull()
    expect(keys.allVerifying('cookie', at(5)).map(({ id }) => id)).toEqual(['own1', 'moved1'])
    expect(keys.allVerifying('cookie', { accountId: 'account-b', now: 5 }).map(({ id }) => id)).toEqual(['own1'])
    expect(keys.current('cookie').id).toBe('own1')
  })

  test('old click and cookie keys verify for 400 more days, preview and share keys not at all', () => {
    expect(retiredKeyVerifiesUntil('click', 7)).toBe(7 + 400 * dayMs)
    expect(retiredKeyVerifiesUntil('cookie', 7)).toBe(7 + 400 * dayMs)
    expect(retiredKeyVerifiesUntil('preview', 7)).toBe(7)
    expect(retiredKeyVerifiesUntil('share', 7)).toBe(7)
  })
})
