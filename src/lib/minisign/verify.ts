import { verify } from 'node:crypto'
import type { PublicKey } from './public-key.ts'
import type { Signature } from './signature.ts'
import { SignatureFault } from './signature-fault.ts'

/** What a verified signature vouches for, besides the file. */
interface Vouched {
  /** The signer's statement about the file, such as its name and version, which the signature covers. */
  trustedComment: string
  /** The trusted key that made it. */
  key: PublicKey
}

/**
 * Verifies a file by its signature in minisign's format, prehashed (`ED`): Ed25519 (RFC 8032) over the BLAKE2b-512 hash of
 * the file, and over that signature with the trusted comment. The file is read as a stream: `Bun.file(path).stream()`.
 *
 * The signature says that a holder of the key signed this file once. That it is the version, and for the machine, that was
 * asked for, is for the caller to see from the trusted comment: an old file has a valid signature too.
 *
 * @throws SignatureFault `unknown-key`, `signature` or `content`; the first two before the file is read
 */
export async function verifySignature(
  signature: Signature,
  content: AsyncIterable<Uint8Array>,
  trusted: readonly PublicKey[],
): Promise<Vouched> {
  const { keyId, ofContent, ofComment, trustedComment } = signature
  const keys = trusted.filter(({ id }) => id === keyId)
  if (keys.length === 0) throw new SignatureFault('unknown-key', unknownKey(keyId, trusted))
  const signedComment = Buffer.concat([ofContent, Buffer.from(trustedComment)])
  const key = keys.find((key) => verify(null, signedComment, key.key, ofComment))
  if (key === undefined) {
    throw new SignatureFault('signature', `Key ${keyId} did not make this signature: it was changed, or forged.`)
  }
  if (verify(null, await contentHash(content), key.key, ofContent)) return { trustedComment, key }
  throw new SignatureFault('content', 'The file is not the one that was signed: it was changed, or is incomplete.')
}

/** BLAKE2b-512 (RFC 7693): what a prehashed signature signs. */
export async function contentHash(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const hash = new Bun.CryptoHasher('blake2b512')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest()
}

const unknownKey = (keyId: string, trusted: readonly PublicKey[]): string =>
  trusted.length === 0
    ? `It was made with key ${keyId}, and no key is trusted.`
    : `It was made with key ${keyId}, which is not trusted. Trusted: ${trusted.map(({ id }) => id).join(', ')}.`
