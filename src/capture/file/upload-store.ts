/**
 * The bytes of files that visitors are sending, each under its token, until a submission claims them. They lie beside the published
 * content, and no address leads to them.
 *
 * Guarantees: `write` stores bytes as they arrive, and resolves once they are on disk; if `chunks` throws, it rejects with that error
 * and has stored nothing. `note` resolves once the note is on disk, whole. A file without a note is gone after a restart. `keep` makes the bytes a stored content under their SHA-256,
 * without copying them where the file system can, and resolves once that is on disk; doing it twice changes nothing.
 */
export interface UploadStore {
  write(token: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  open(token: string): Blob
  note(token: string, text: string): Promise<void>
  /** The notes of all files, with their tokens. What has none is removed. Call it before anything is written. */
  noted(): AsyncIterable<[token: string, text: string]>
  keep(token: string, sha256: string): Promise<void>
  remove(token: string): Promise<void>
  /** On the disk. */
  freeBytes(): Promise<number>
}
