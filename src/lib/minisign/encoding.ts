import { SignatureFault } from './signature-fault.ts'

/** What stands before the bytes of every key, and before those of a signature that signs the file itself. */
export const ed25519 = 'Ed'
/** What stands before the bytes of a signature that signs the file's BLAKE2b-512 hash. */
export const prehashed = 'ED'

export const keyIdBytes = 8

/** Decodes one line of base64 (RFC 4648 section 4) with exactly `length` bytes. @throws SignatureFault `malformed` */
export function decodeLine(line: string, length: number, what: string): Buffer {
  const bytes = Buffer.from(line, 'base64')
  // Compared as text: two spellings of the same bytes would be two signatures.
  if (bytes.length === length && bytes.toString('base64') === line) return bytes
  throw new SignatureFault('malformed', `The ${what} is not ${length} bytes of base64.`)
}

/** As minisign prints it: a little-endian number in hexadecimal. */
export const keyIdText = (bytes: Uint8Array): string => Buffer.from(bytes).readBigUInt64LE().toString(16).toUpperCase()

/** The lines of a text file, by either kind of line ending; a last empty one is none. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

export const untrustedCommentPrefix = 'untrusted comment: '
export const trustedCommentPrefix = 'trusted comment: '
