/** Bytes of a file that was written. */
export interface WrittenFile {
  /** Lower-case hex. */
  sha256: string
  byteCount: number
}

/**
 * A place of this box where a site folder comes together before it is applied. It is gone after `remove`, and what a killed
 * process left goes with the next upload.
 */
export interface UploadFolder {
  /** The site folder, absolute. */
  readonly dir: string
  /** Writes a file. @throws UploadFault when its name is unfit or taken, or when there is no room; then `remove` the folder */
  write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenFile>
  /** Keeps bytes beside the folder, for `placeHeld`. */
  hold(chunks: AsyncIterable<Uint8Array>): Promise<WrittenFile>
  /** Unpacks a zip. @throws UploadFault when it is damaged, too large, or holds what no site folder has */
  unpack(chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Puts a file there whose bytes are held, or were kept; answers whether they are. @throws UploadFault as `write` does */
  placeHeld(path: string, sha256: string): Promise<boolean>
  /** Keeps what is held for the sender's next upload, which needs not send it again. */
  keepHeld(): Promise<void>
  /** Forgets what was kept of this sender and is in this folder. Another upload of the sender may want the rest. */
  forgetPlaced(): Promise<void>
  /** The same with bytes of the asset store, whosever they are: ask first. */
  placeStored(path: string, sha256: string): Promise<boolean>
  /** Puts an empty file of this size there, which takes no room. @throws UploadFault as `write` does */
  pretend(path: string, byteCount: number): Promise<void>
  /** A later call does nothing. */
  remove(): void
}

/** A file to be packed. */
export interface PackedFile {
  path: string
  /** What compresses well. */
  isText: boolean
  bytes(): AsyncIterable<Uint8Array>
}

/** How long contents are kept of an upload that failed. */
export const sentKeptMs = 3_600_000

export interface UploadFolders {
  /** @param sender who alone may place what is kept of the upload */
  make(sender: string): Promise<UploadFolder>
  /** Whether these bytes are kept of an earlier upload of the sender. */
  isKept(sender: string, sha256: string): Promise<boolean>
  /** Erases what was kept before, and what killed uploads have left. @param at epoch milliseconds */
  eraseKeptBefore(at: number): Promise<void>
  /** Files as one zip, the same to the byte for the same files. Throws while it is read when the bytes of a file cannot be. */
  pack(files: Iterable<PackedFile>): Promise<AsyncIterable<Uint8Array>>
}

/** What reads and makes zips. */
export interface ZipTools extends Pick<UploadFolders, 'pack'> {
  /** Writes the files of a zip of so many bytes. @throws UploadFault */
  unpack(
    file: string,
    byteCount: number,
    write: (path: string, chunks: AsyncIterable<Uint8Array>) => Promise<unknown>,
  ): Promise<void>
}
