import type { SigningKeys, SigningPurpose } from './signing-key.ts'

/**
 * The box's signing keys.
 *
 * Guarantees: there is always one current key of each purpose; a replaced click or cookie key goes on verifying for
 * 400 days, a replaced preview key not at all; a running server signs with the new key within a second.
 */
export interface SigningKeyStore {
  read(): Promise<SigningKeys>
  rotate(purpose: SigningPurpose): Promise<void>
}
