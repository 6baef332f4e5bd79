import { type PublicKey, readPublicKey } from '../lib/minisign/public-key.ts'

// The build puts a text in its place (packaging/executable.ts); from source it is not there.
declare const CAPTURE_PUBLIC_KEYS: string

/**
 * The keys whose signatures this executable trusts for its successor; none, where it was built without. They are part of
 * the executable, so that neither the environment nor whoever serves a release can add one. Whoever builds their own
 * names theirs in `release.pub` before building, or on the command line of the upgrade.
 */
export function builtInPublicKeys(): PublicKey[] {
  const lines = typeof CAPTURE_PUBLIC_KEYS === 'string' ? CAPTURE_PUBLIC_KEYS : ''
  return publicKeysIn(lines)
}

/**
 * Reads `.pub` files of minisign's, one below the other, or bare keys, one a line.
 *
 * @throws SignatureFault `malformed` for anything else
 */
export const publicKeysIn = (text: string): PublicKey[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('untrusted comment:'))
    .map(readPublicKey)
