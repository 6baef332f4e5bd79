import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { contentHash, type PublicKey, readPublicKey } from '../../../src/lib/minisign.ts'

/** A new pair of keys, with which tests sign; releases are signed by minisign itself. */
export interface SecretKey {
  id: Uint8Array
  key: KeyObject
  public: PublicKey
  /** The text of its file, as `minisign -G -W` writes it. */
  file: string
}

export function newSecretKey(): SecretKey {
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  const [id, publicBytes] = [randomBytes(8), Buffer.from(x, 'base64url')]
  const opened = Buffer.concat([id, Buffer.from(d, 'base64url'), publicBytes])
  const checksum = new Bun.CryptoHasher('blake2b256').update('Ed').update(opened).digest()
  const bytes = Buffer.concat([Buffer.from('Ed\0\0B2', 'latin1'), Buffer.alloc(48), opened, checksum])
  return {
    ...{ id, key },
    public: readPublicKey(Buffer.concat([Buffer.from('Ed'), id, publicBytes]).toString('base64')),
    file: `untrusted comment: minisign secret key\n${bytes.toString('base64')}\n`,
  }
}

/** The text of a `.minisig` file for what is read, as `minisign -S` makes it. */
export async function signatureFile(
  content: AsyncIterable<Uint8Array>,
  { id, key }: Pick<SecretKey, 'id' | 'key'>,
  trustedComment: string,
): Promise<string> {
  const ofContent = sign(null, await contentHash(content), key)
  const ofComment = sign(null, Buffer.concat([ofContent, Buffer.from(trustedComment)]), key)
  const signed = Buffer.concat([Buffer.from('ED'), id, ofContent])
  return `untrusted comment: signature\n${signed.toString('base64')}\ntrusted comment: ${trustedComment}\n${ofComment.toString('base64')}\n`
}

/** The text of a `.pub` file, as minisign writes it. */
export const publicKeyFile = ({ id, line }: PublicKey): string =>
  `untrusted comment: minisign public key ${id}\n${line}\n`

/** A file's content, as a stream brings it: in pieces of a size that no border of it depends on. */
export async function* inPieces(content: Uint8Array, pieceBytes = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes)
}
