import { createHash } from 'node:crypto'
import { type SigningKey, SigningKeys, type SigningPurpose, signingPurposes } from '../../src/account/signing-key.ts'

/** A current cookie key; what a test is about, it overrides. Another id is another secret. */
export function signingKey(overrides: Partial<SigningKey> = {}): SigningKey {
  const id = overrides.id ?? 'cook1e'
  const secret = new Uint8Array(createHash('sha256').update(id).digest())
  return { id, purpose: 'cookie', secret, createdAt: 1_000, verifiesUntil: null, ...overrides }
}

/** One current key of each purpose, with the same ids in every box that is made so. */
export const signingKeys = (suffix = '1'): SigningKeys =>
  new SigningKeys(signingPurposes.map((purpose) => signingKey({ purpose, id: keyId(purpose, suffix) })))

const keyId = (purpose: SigningPurpose, suffix: string): string => purpose.slice(0, 5) + suffix
