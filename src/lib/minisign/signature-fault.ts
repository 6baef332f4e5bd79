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
