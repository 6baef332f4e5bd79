import { type RotatedPurpose, retiredKeyVerifiesUntil } from '../../account/signing-key.ts'
import type { Box } from '../box.ts'

export interface RotatedSecret {
  keyId: string
  /** When signatures of earlier keys become invalid, epoch milliseconds; `null`: at once. */
  oldKeysVerifyUntil: number | null
}

/** As `secret rotate --json` prints it. */
export const rotatedSecretJson = (purpose: RotatedPurpose, { keyId, oldKeysVerifyUntil }: RotatedSecret) => ({
  purpose,
  keyId,
  oldKeysVerifyUntil: oldKeysVerifyUntil === null ? null : new Date(oldKeysVerifyUntil).toISOString(),
})

/** Makes a new signing key for one purpose. */
export async function rotateSecret(
  { signingKeys }: Pick<Box, 'signingKeys'>,
  purpose: RotatedPurpose,
): Promise<RotatedSecret> {
  const key = await signingKeys.rotate(purpose)
  const until = retiredKeyVerifiesUntil(purpose, key.createdAt)
  return { keyId: key.id, oldKeysVerifyUntil: until > key.createdAt ? until : null }
}
