import { type RotatedPurpose, retiredKeyVerifiesUntil } from '../../account/signing-key.ts'
import type { Box } from '../box.ts'

export interface RotatedSecret {
  keyId: string
  /** Until when signatures of earlier keys are good, epoch milliseconds; `null`: no longer. */
  oldKeysVerifyUntil: number | null
}

/** Makes a new key for what the box signs. */
export async function rotateSecret(
  { signingKeys }: Pick<Box, 'signingKeys'>,
  purpose: RotatedPurpose,
): Promise<RotatedSecret> {
  const key = await signingKeys.rotate(purpose)
  const until = retiredKeyVerifiesUntil(purpose, key.createdAt)
  return { keyId: key.id, oldKeysVerifyUntil: until > key.createdAt ? until : null }
}
