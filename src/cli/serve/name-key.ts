import type { SigningKeyStore } from '../../account/signing-key.ts'
import type { Log } from '../../lib/log.ts'

/**
 * Gives this service a key of its own for proving names: another box from the same backup would pass for it otherwise.
 * A full disk keeps no box from serving.
 */
export async function renewNameKey(
  signingKeys: Pick<SigningKeyStore, 'rotate'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  try {
    await signingKeys.rotate('name')
  } catch (error) {
    log.warn('The key that proves names could not be renewed; the one before stays in use.', {
      error: error instanceof Error ? error.message : 'unknown',
    })
  }
}
