import type { PublicKey } from '../lib/minisign/public-key.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { publicKeysIn } from '../release/public-keys.ts'

/** Beside package.json, in a checkout whose releases are signed: minisign's public keys, one or more. */
const publicKeysFile = 'release.pub'

/**
 * Reads the public keys that executables shall trust for their successors. No file, no keys.
 *
 * @throws OperatorError when the file holds anything else
 */
export async function readPublicKeysFile(path = publicKeysFile): Promise<PublicKey[]> {
  const file = Bun.file(path)
  if (!(await file.exists())) return []
  try {
    return publicKeysIn(await file.text())
  } catch (error) {
    throw new OperatorError(`${path}: ${(error as Error).message} It holds minisign's public keys, one or more.`)
  }
}
