import { createPublicKey, type KeyObject, verify } from 'node:crypto'

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
  const vouched = verifyComment(signature, trusted)
  if (verify(null, await contentHash(content), vouched.key.key, signature.ofContent)) return vouched
  throw new SignatureFault('content', 'The file is not the one that was signed: it was changed, or is incomplete.')
}

/**
 * Verifies what the signer says of a file, without the file.
 *
 * @throws SignatureFault `unknown-key` or `signature`
 */
export function verifyComment(
  { keyId, ofContent, ofComment, trustedComment }: Signature,
  trusted: readonly PublicKey[],
): Vouched {
  const keys = trusted.filter(({ id }) => id === keyId)
  if (keys.length === 0) throw new SignatureFault('unknown-key', unknownKey(keyId, trusted))
  const signedComment = Buffer.concat([ofContent, Buffer.from(trustedComment)])
  const key = keys.find((key) => verify(null, signedComment, key.key, ofComment))
  if (key !== undefined) return { trustedComment, key }
  throw new SignatureFault('signature', `Key ${keyId} did not make this signature: it was changed, or forged.`)
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
  const x = bytes.subarray(2 + keyIdBytes).toString('base64url')
  return {
    id: keyIdText(bytes.subarray(2, 2 + keyIdBytes)),
    key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    line,
  }
}

const signatureBytes = 64

/** Characters of a signature file: four lines, of which minisign allows the comments 8 KB in all. */
export const signatureCharactersMax = 16 * 1024

/** A `.minisig` file, read and not yet verified: nothing in it may be believed. */
interface Signature {
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

/**
 * Why a signature does not vouch for a file.
 *
 * - `malformed`: the text is no key, or no signature, of minisign's format
 * - `legacy`: signed without hashing first (`minisign -S -l`), which would need the whole file in memory
 * - `unknown-key`: made with none of the keys that are trusted
 * - `signature`: the signature itself, or its trusted comment, was changed
 * - `content`: the file is not the one that was signed
 */
export type SignatureFaultReason = 'malformed' | 'legacy' | 'unknown-key' | 'signature' | 'content'

/** The message is a sentence for an operator; it names no file, which the caller knows. */
export class SignatureFault extends Error {
  override readonly name = 'SignatureFault'

  constructor(
    readonly reason: SignatureFaultReason,
    message: string,
  ) {
    super(message)
  }
}

/** What stands before the bytes of every key, and before those of a signature that signs the file itself. */
const ed25519 = 'Ed'
/** What stands before the bytes of a signature that signs the file's BLAKE2b-512 hash. */
const prehashed = 'ED'

const keyIdBytes = 8

/** Decodes one line of base64 (RFC 4648 section 4) with exactly `length` bytes. @throws SignatureFault `malformed` */
function decodeLine(line: string, length: number, what: string): Buffer {
  const bytes = Buffer.from(line, 'base64')
  // Compared as text: two spellings of the same bytes would be two signatures.
  if (bytes.length === length && bytes.toString('base64') === line) return bytes
  throw new SignatureFault('malformed', `The ${what} is not ${length} bytes of base64.`)
}

/** As minisign prints it: a little-endian number in hexadecimal. */
const keyIdText = (bytes: Uint8Array): string => Buffer.from(bytes).readBigUInt64LE().toString(16).toUpperCase()

/** The lines of a text file, by either kind of line ending; a last empty one is none. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

const untrustedCommentPrefix = 'untrusted comment: '
const trustedCommentPrefix = 'trusted comment: '
