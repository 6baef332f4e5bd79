import type { PublicKey } from '../lib/minisign.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { publicKeysIn } from '../release/public-keys.ts'

/** Minisign public keys beside package.json, in a checkout with signed releases. */
const publicKeysFile = 'release.pub'

/**
 * Reads the public keys that executables trust for their successors. Without the file there are none.
 *
 * @throws OperatorError when the file holds anything else
 */
export async function readPublicKeysFile(path = publicKeysFile): Promise<PublicKey[]> {
  const file = Bun.file(path)
  if (!(await file.exists())) return []
  try {
    return publicKeysIn(await file.text())
  } catch (error) {
    throw new OperatorError(
      `${path}: ${(error as Error).message} The file must contain one or more public keys of minisign.`,
    )
  }
}
