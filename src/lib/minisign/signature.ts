import {
  decodeLine,
  ed25519,
  keyIdBytes,
  keyIdText,
  linesOf,
  prehashed,
  trustedCommentPrefix,
  untrustedCommentPrefix,
} from './encoding.ts'
import { SignatureFault } from './signature-fault.ts'

const signatureBytes = 64

/** Characters of a signature file: four lines, of which minisign allows the comments 8 KB in all. */
export const signatureCharactersMax = 16 * 1024

/** A `.minisig` file, read and not yet verified: nothing in it may be believed. */
export interface Signature {
  /** Of the key that it says it was made with. */
  keyId: string
  /** Over the BLAKE2b-512 hash of the file. */
  ofContent: Uint8Array
  /** Over the signature of the content and the trusted comment. */
  ofComment: Uint8Array
  trustedComment: string
}

/**
 * Reads the text of a `.minisig` file.
 *
 * @throws SignatureFault `malformed` or `legacy`
 */
export function readSignature(text: string): Signature {
  const lines = text.length > signatureCharactersMax ? [] : linesOf(text)
  const [untrusted, line, comment, globalLine] = lines
  if (
    lines.length !== 4 ||
    !untrusted?.startsWith(untrustedCommentPrefix) ||
    line === undefined ||
    !comment?.startsWith(trustedCommentPrefix) ||
    globalLine === undefined
  ) {
    throw new SignatureFault('malformed', "This is not a minisign signature's: it does not have its four lines.")
  }
  const bytes = decodeLine(line, prehashed.length + keyIdBytes + signatureBytes, 'signature')
  assertPrehashed(bytes.toString('latin1', 0, 2))
  return {
    keyId: keyIdText(bytes.subarray(2, 2 + keyIdBytes)),
    ofContent: bytes.subarray(2 + keyIdBytes),
    ofComment: decodeLine(globalLine, signatureBytes, 'signature of the trusted comment'),
    trustedComment: printable(comment.slice(trustedCommentPrefix.length)),
  }
}

function assertPrehashed(algorithm: string): void {
  if (algorithm === prehashed) return
  if (algorithm !== ed25519) throw new SignatureFault('malformed', "This is not a minisign signature's.")
  throw new SignatureFault('legacy', 'The file was signed as a whole, not by its hash: sign it without -l.')
}

/** It is shown to operators: nothing in it may move a terminal's cursor. Tabs set minisign's own fields apart. */
function printable(comment: string): string {
  if (!/[^\t\P{C}]/u.test(comment)) return comment
  throw new SignatureFault('malformed', 'The trusted comment has characters that cannot be printed.')
}
