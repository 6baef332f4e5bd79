import type { SigningKeyStore } from '../../account/signing-key.ts'
import type { Log } from '../../lib/log.ts'

/**
 * Gives this service a new key for proving names, so that another box from the same backup is not mistaken for it. A full disk does
 * not prevent serving.
 */
export async function renewNameKey(
  signingKeys: Pick<SigningKeyStore, 'rotate'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  try {
    await signingKeys.rotate('name')
  } catch (error) {
    log.warn('The key that proves names could not be renewed; the old one stays in use.', {
      error: error instanceof Error ? error.message : 'unknown',
    })
  }
}
