import { createPublicKey, type KeyObject } from 'node:crypto'
import { decodeLine, ed25519, keyIdBytes, keyIdText, linesOf, untrustedCommentPrefix } from './encoding.ts'
import { SignatureFault } from './signature-fault.ts'

const keyBytes = 32

export interface PublicKey {
  /** As minisign prints it, in hexadecimal. It tells keys apart; only the key itself is trusted. */
  id: string
  key: KeyObject
  /** The line of base64 that minisign takes as `-P`. */
  line: string
}

/**
 * Reads one public key: the line that minisign takes as `-P`, or a `.pub` file, which has a comment above that line.
 *
 * @throws SignatureFault `malformed`
 */
export function readPublicKey(text: string): PublicKey {
  const lines = linesOf(text.trim()).filter((line) => !line.startsWith(untrustedCommentPrefix))
  const [line] = lines
  if (line === undefined || lines.length > 1) throw new SignatureFault('malformed', 'This is not one public key.')
  const bytes = decodeLine(line, ed25519.length + keyIdBytes + keyBytes, 'public key')
  if (bytes.toString('latin1', 0, 2) !== ed25519) {
    throw new SignatureFault('malformed', "This is not a minisign public key's: those begin with RW.")
  }
  return publicKeyOf(bytes.subarray(2, 2 + keyIdBytes), bytes.subarray(2 + keyIdBytes))
}

/** The public key with these two parts. */
export function publicKeyOf(id: Uint8Array, key: Uint8Array): PublicKey {
  const x = Buffer.from(key).toString('base64url')
  return {
    id: keyIdText(id),
    key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    line: Buffer.concat([Buffer.from(ed25519), id, key]).toString('base64'),
  }
}
