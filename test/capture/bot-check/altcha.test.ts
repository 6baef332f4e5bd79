import { describe, expect, test } from 'bun:test'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import fc from 'fast-check'
import { SigningKeys } from '../../../src/account/signing-key.ts'
import { altchaChallenge, altchaVerified, difficulties } from '../../../src/capture/bot-check/altcha.ts'
import { LedgerUnavailable } from '../../../src/ledger/ledger.ts'
import { signingKey, signingKeys } from '../../account/sample-signing-keys.ts'
import { challengesInMemory } from './challenges-in-memory.ts'

const now = Date.now()
const tenMinutesMs = 10 * 60 * 1000
const easy = { cost: 1, counterMin: 1, counterMax: 3 }

const context = (overrides: { accountId?: string; keys?: SigningKeys; now?: number } = {}) => ({
  accountId: '0197f0a0-0000-7000-8000-00000000000a',
  keys: signingKeys(),
  now,
  ...overrides,
})

/** What a browser sends: base64 of the challenge and its solution. */
const tokenOf = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64')

async function solved(
  challenge: Challenge,
): Promise<{ challenge: Challenge; solution: { counter: number; derivedKey: string } }> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('not solved')
  return { challenge, solution: { counter: solution.counter, derivedKey: solution.derivedKey } }
}

const verified = (token: string, asked = context(), challenges = challengesInMemory()): Promise<boolean> =>
  altchaVerified(token, { ...asked, challenges })

const sample = await solved(await altchaChallenge(context(), easy))

describe('self-hosted bot check', () => {
  test('a solved challenge verifies', async () => {
    expect(await verified(tokenOf(sample))).toBe(true)
  })

  test('at the usual difficulty too', async () => {
    expect(await verified(tokenOf(await solved(await altchaChallenge(context()))))).toBe(true)
  })

  test('the usual difficulty is one that a browser solves in 50 to 100 tries of 5,000 rounds', async () => {
    expect(difficulties.normal).toEqual({ cost: 5000, counterMin: 50, counterMax: 100 })
    expect((await altchaChallenge(context())).parameters.cost).toBe(5000)
  })

  test('the difficulty asked for is the one to be met', async () => {
    const challenge = await altchaChallenge(context(), { cost: 2, counterMin: 7, counterMax: 7 })
    expect(challenge.parameters.cost).toBe(2)
    expect((await solveChallenge({ challenge, deriveKey }))?.counter).toBe(7)
  })

  test('a challenge does not hold its solution', async () => {
    expect(JSON.stringify(sample.challenge)).not.toContain(sample.solution.derivedKey)
  })

  test('two challenges differ', async () => {
    const [a, b] = await Promise.all([altchaChallenge(context(), easy), altchaChallenge(context(), easy)])
    expect(a.parameters.nonce).not.toBe(b.parameters.nonce)
  })

  test('verifies once', async () => {
    const challenges = challengesInMemory()
    expect(await verified(tokenOf(sample), context(), challenges)).toBe(true)
    expect(await verified(tokenOf(sample), context(), challenges)).toBe(false)
  })

  test('verifies once, however else the same solution is written', async () => {
    const challenges = challengesInMemory()
    expect(await verified(tokenOf(sample), context(), challenges)).toBe(true)
    const again = [
      tokenOf({ ...sample, took: 1 }),
      tokenOf({ challenge: sample.challenge, solution: { ...sample.solution, counter: 9 } }),
      tokenOf({ challenge: { ...sample.challenge, more: 1 }, solution: sample.solution }),
      tokenOf({
        challenge: { ...sample.challenge, parameters: { ...sample.challenge.parameters, more: 1 } },
        solution: sample.solution,
      }),
      `${tokenOf(sample)} `,
    ]
    expect(await Promise.all(again.map((token) => verified(token, context(), challenges)))).toEqual(
      again.map(() => false),
    )
  })

  test('of many tries at once one verifies', async () => {
    const challenges = challengesInMemory()
    const tries = await Promise.all(Array.from({ length: 8 }, () => verified(tokenOf(sample), context(), challenges)))
    expect(tries.filter(Boolean)).toHaveLength(1)
  })

  test('it is remembered as used until it would have expired', async () => {
    const challenges = challengesInMemory()
    await verified(tokenOf(sample), context(), challenges)
    const expiresAt = Number(sample.challenge.parameters.expiresAt) * 1000
    expect(challenges.spent).toEqual([`${context().accountId} ${sample.challenge.parameters.nonce} ${expiresAt}`])
  })

  test('what does not verify is not remembered', async () => {
    const challenges = challengesInMemory()
    await verified(tokenOf({ ...sample, solution: { counter: 1, derivedKey: '00' } }), context(), challenges)
    expect(challenges.spent).toEqual([])
  })

  test('when its use cannot be recorded, that is not held against the visitor', async () => {
    const spend = () => Promise.reject(new LedgerUnavailable('full'))
    await expect(altchaVerified(tokenOf(sample), { ...context(), challenges: { spend } })).rejects.toThrow(
      LedgerUnavailable,
    )
  })

  test('expires after ten minutes', async () => {
    expect(await verified(tokenOf(sample), context({ now: now + tenMinutesMs - 1_000 }))).toBe(true)
    expect(await verified(tokenOf(sample), context({ now: now + tenMinutesMs }))).toBe(false)
  })

  test('is unknown to another account', async () => {
    expect(await verified(tokenOf(sample), context({ accountId: '0197f0a0-0000-7000-8000-00000000000b' }))).toBe(false)
  })

  test('is unknown to another box, even with a key of the same id', async () => {
    const keys = new SigningKeys([signingKey({ id: signingKeys().current('cookie').id, secret: new Uint8Array(32) })])
    expect(await verified(tokenOf(sample), context({ keys }))).toBe(false)
  })

  test('outlives a rotation of the cookie key', async () => {
    const old = { ...signingKeys().current('cookie'), verifiesUntil: now + tenMinutesMs }
    const keys = new SigningKeys([old, signingKey({ id: 'new1' })])
    expect(await verified(tokenOf(sample), context({ keys }))).toBe(true)
  })

  test('a challenge made easier or longer does not verify', async () => {
    const { parameters } = sample.challenge
    const changes = [
      { cost: 2 },
      { expiresAt: Number(parameters.expiresAt) + 1 },
      { keyPrefix: '00' },
      { keySignature: '00' },
      { nonce: '00' },
      { salt: '00' },
      { keyLength: 16 },
      { data: { key: 'other' } },
      { algorithm: 'SHA-256' },
    ]
    const tokens = changes.map((change) =>
      tokenOf({ ...sample, challenge: { ...sample.challenge, parameters: { ...parameters, ...change } } }),
    )
    expect(await Promise.all(tokens.map((token) => verified(token)))).toEqual(changes.map(() => false))
  })

  test('the prefix that the challenge shows is no solution', async () => {
    const derivedKey = String(sample.challenge.parameters.keyPrefix).padEnd(64, '0')
    expect(await verified(tokenOf({ ...sample, solution: { ...sample.solution, derivedKey } }))).toBe(false)
  })

  test('a solution of one challenge is none of another', async () => {
    const other = await altchaChallenge(context(), easy)
    expect(await verified(tokenOf({ ...sample, challenge: other }))).toBe(false)
  })

  const odd: Record<string, unknown> = {
    null: null,
    number: 1,
    'empty object': {},
    'empty array': [],
    'no solution': { challenge: sample.challenge },
    'no signature': { ...sample, challenge: { parameters: sample.challenge.parameters } },
    'no parameters': { ...sample, challenge: { signature: sample.challenge.signature } },
    'null parameters': { ...sample, challenge: { ...sample.challenge, parameters: null } },
    'a counter that is no number': { ...sample, solution: { ...sample.solution, counter: '1' } },
    'a negative counter': { ...sample, solution: { ...sample.solution, counter: -1 } },
    'a key that is no hex': { ...sample, solution: { ...sample.solution, derivedKey: 'zz' } },
    'a key id of the prototype': {
      ...sample,
      challenge: { ...sample.challenge, parameters: { ...sample.challenge.parameters, data: { key: '__proto__' } } },
    },
    'a format of another version': { algorithm: 'SHA-256', challenge: 'aa', number: 1, salt: 'a', signature: 'a' },
    'a server’s signature': { algorithm: 'SHA-256', signature: 'a', verificationData: 'verified=true', verified: true },
  }
  for (const [what, payload] of Object.entries(odd)) {
    test(`${what} does not verify, and does not throw`, async () => {
      expect(await verified(tokenOf(payload))).toBe(false)
    })
  }

  test('a deeply nested token does not verify, and does not throw', async () => {
    const deep = `${'[0,'.repeat(3000)}0${']'.repeat(3000)}`
    expect(await verified(Buffer.from(`{"challenge":{"parameters":${deep}}}`).toString('base64'))).toBe(false)
  })

  test('no text verifies, and none throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json().map(tokenOf)), async (token) => {
        expect(await verified(token)).toBe(false)
      }),
    )
  })
})
