import { type PublicKey, readPublicKey } from '../lib/minisign.ts'

// Defined by the build (packaging/executable.ts); undefined when run from source.
declare const CAPTURE_PUBLIC_KEYS: string

/**
 * The keys that this executable trusts for its successor; possibly none. They are built in, so that neither the environment
 * nor the server of a release can add one. For your own builds, put your keys into `release.pub` before building, or name them
 * on the command line of the upgrade.
 */
export function builtInPublicKeys(): PublicKey[] {
  const lines = typeof CAPTURE_PUBLIC_KEYS === 'string' ? CAPTURE_PUBLIC_KEYS : ''
  return publicKeysIn(lines)
}

/**
 * Reads concatenated `.pub` files of minisign, or bare keys, one per line.
 *
 * @throws SignatureFault `malformed` for anything else
 */
export const publicKeysIn = (text: string): PublicKey[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('untrusted comment:'))
    .map(readPublicKey)
