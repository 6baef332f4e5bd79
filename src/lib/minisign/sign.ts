import { sign } from 'node:crypto'
import { prehashed, trustedCommentPrefix, untrustedCommentPrefix } from './encoding.ts'
import type { SecretKey } from './secret-key.ts'
import { contentHash } from './verify.ts'

/**
 * The text of a `.minisig` file for what is read, as `minisign -S` makes it.
 *
 * @param trustedComment one line, which the signature vouches for as well
 */
export async function signatureFile(
  content: AsyncIterable<Uint8Array>,
  { id, key, public: { id: keyId } }: SecretKey,
  trustedComment: string,
): Promise<string> {
  const ofContent = sign(null, await contentHash(content), key)
  const ofComment = sign(null, Buffer.concat([ofContent, Buffer.from(trustedComment)]), key)
  const signed = Buffer.concat([Buffer.from(prehashed), id, ofContent])
  return [
    `${untrustedCommentPrefix}signature by key ${keyId}`,
    signed.toString('base64'),
    `${trustedCommentPrefix}${trustedComment}`,
    ofComment.toString('base64'),
    '',
  ].join('\n')
}
