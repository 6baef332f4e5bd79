import { randomInt } from 'node:crypto'
import { type Challenge, type ChallengeParameters, createChallenge, type Solution, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { BotCheckDifficulty } from '../../account/account.ts'
import type { SigningKey, SigningKeys } from '../../account/signing-key.ts'
import { sign } from '../../lib/sign.ts'
import type { ChallengeStore } from '../challenge-store.ts'

const algorithm = 'PBKDF2/SHA-256'
const challengeExpiresMs = 10 * 60 * 1000

/** The work for a browser, which finds the counter by trying each from 0, with `cost` rounds of hashing per try. */
interface AltchaDifficulty {
  cost: number
  counterMin: number
  counterMax: number
}

/**
 * Few tries of many rounds each: on a slow phone the overhead of each try would otherwise dominate.
 * `normal` is some 375,000 rounds of SHA-256, 0.1 s on a desk and under two seconds on a slow phone.
 */
export const difficulties: Readonly<Record<BotCheckDifficulty, AltchaDifficulty>> = {
  low: { cost: 2_500, counterMin: 25, counterMax: 50 },
  normal: { cost: 5_000, counterMin: 50, counterMax: 100 },
  high: { cost: 10_000, counterMin: 100, counterMax: 200 },
}

interface AltchaContext {
  accountId: string
  keys: SigningKeys
  /** Epoch milliseconds. */
  now: number
}

/**
 * A fresh challenge for a visitor of the account (`GET /_svc/b`), good for ten minutes and one submission. It is signed
 * with secrets of the account's own, derived from the current cookie key, and so holds across restarts.
 */
export async function altchaChallenge(
  { accountId, keys, now }: AltchaContext,
  { cost, counterMin, counterMax }: AltchaDifficulty = difficulties.normal,
): Promise<Challenge> {
  const key = keys.current('cookie')
  return createChallenge({
    algorithm,
    cost,
    counter: randomInt(counterMin, counterMax + 1),
    data: { key: key.id },
    deriveKey,
    expiresAt: Math.floor((now + challengeExpiresMs) / 1000),
    ...secretsOf(accountId, key),
  })
}

/**
 * Whether the token solves an unexpired, unused challenge of this account. If so, marks the challenge as used.
 *
 * @throws LedgerUnavailable when the use cannot be recorded.
 */
export async function altchaVerified(
  token: string,
  { accountId, keys, now, challenges }: AltchaContext & { challenges: ChallengeStore },
): Promise<boolean> {
  const payload = readPayload(token)
  if (payload === null) return false
  const { challenge, keyId, expiresAt } = payload
  const key = keys.verifying('cookie', keyId, { accountId, now })
  if (key === null || now >= expiresAt) return false
  const { verified } = await verifySolution({ ...payload, deriveKey, ...secretsOf(accountId, key) })
  return verified && challenges.spend(accountId, challenge.parameters.nonce, expiresAt)
}

/** Two secrets for the two signed parts. With both, a solution is verified without deriving its key again. */
const secretsOf = (accountId: string, { secret }: SigningKey) => ({
  hmacSignatureSecret: sign(secret, `altcha challenge 1\n${accountId}`),
  hmacKeySignatureSecret: sign(secret, `altcha solution 1\n${accountId}`),
})

interface Payload {
  challenge: Challenge
  solution: Solution
  keyId: string
  /** Epoch milliseconds. */
  expiresAt: number
}

/** The widget's token is base64 of `{ challenge, solution }`. Nothing but what a challenge of ours holds is read. */
function readPayload(token: string): Payload | null {
  const { challenge, solution } = record(parsed(token))
  const { parameters, signature } = record(challenge)
  const {
    algorithm: named,
    nonce,
    salt,
    cost,
    keyLength,
    keyPrefix,
    keySignature,
    expiresAt,
    data,
  } = record(parameters)
  const { key: keyId } = record(data)
  const { counter, derivedKey } = record(solution)
  if (named !== algorithm || !isNumber(cost) || !isNumber(keyLength) || !isNumber(expiresAt)) return null
  if (!isText(nonce) || !isText(salt) || !isText(keyPrefix) || !isText(keySignature)) return null
  if (!isText(keyId) || !isText(signature) || !isNumber(counter) || !isText(derivedKey)) return null
  const signed: ChallengeParameters = {
    algorithm,
    nonce,
    salt,
    cost,
    keyLength,
    keyPrefix,
    keySignature,
    expiresAt,
    data: { key: keyId },
  }
  return {
    challenge: { parameters: signed, signature },
    solution: { counter, derivedKey },
    keyId,
    expiresAt: expiresAt * 1000,
  }
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64').toString())
  } catch {
    return null
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
