import type { VisitorFile } from './entry.ts'

/**
 * The files that visitors sent with forms.
 *
 * Guarantees: a file can be found as soon as its submission was appended, and until that is removed.
 */
export interface VisitorFiles {
  /** `null`: the account has no such submission, or it has no such file. @throws UnreadableEntry */
  find(accountId: string, submissionId: string, fileId: string): Promise<VisitorFile | null>
  /** Bytes of an account's files, each content once. May be some seconds old. */
  keptBytes(accountId: string): number
  /** Notes contents that perhaps no record names. @throws LedgerUnavailable */
  loosen(hashes: readonly string[]): Promise<void>
  /**
   * Removes noted contents and those of removed records, unless another record has the same. Nobody else begins to refer to a
   * content while it is being removed. While thousands of records wait to be processed, all are left for later. A service does this by
   * itself; call it where the contents must be gone at once.
   *
   * @param remove deletes a content by its SHA-256
   */
  releaseLoose(remove: (sha256: string) => void): Promise<void>
}
