import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { PublicKey } from '../../../src/lib/minisign/public-key.ts'
import { readSecretKey, type SecretKey } from '../../../src/lib/minisign/secret-key.ts'

/** The text of a secret key file of minisign's, without a password, for a new pair of keys. */
export function secretKeyFile(): string {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const unsealed = Buffer.concat([randomBytes(8), Buffer.from(d ?? '', 'base64url'), Buffer.from(x ?? '', 'base64url')])
  const bytes = Buffer.concat([Buffer.from('Ed\0\0B2', 'latin1'), Buffer.alloc(48), unsealed, Buffer.alloc(32)])
  return `untrusted comment: minisign secret key\n${bytes.toString('base64')}\n`
}

export const newSecretKey = (): SecretKey => readSecretKey(secretKeyFile(), null)

/** The text of a `.pub` file, as minisign writes it. */
export const publicKeyFile = ({ id, line }: PublicKey): string =>
  `untrusted comment: minisign public key ${id}\n${line}\n`

/** A file's content, as a stream brings it: in pieces of a size that no border of it depends on. */
export async function* inPieces(content: Uint8Array, pieceBytes = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes)
}
