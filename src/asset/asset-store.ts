import type { ContentEncoding } from './asset.ts'

/** What published bytes are held as, in the order of their names in a backup. */
export const storedEncodings = ['identity', 'br', 'gzip'] as const satisfies StoredBytes['encoding'][]

/** What the name of a file that holds bytes so encoded ends in. */
export const encodingSuffixes = { identity: '', br: '.br', gzip: '.gz' } as const satisfies Record<
  StoredBytes['encoding'],
  string
>

/** Identifies stored bytes by the SHA-256 of the published bytes and their encoding. */
export interface StoredBytes {
  /** Lower-case hex, 64 characters. */
  sha256: string
  encoding: ContentEncoding | 'identity'
}

/** Bytes in pieces, so that a large file need not fit into memory. Each piece is valid until the next. */
export interface StreamedBytes {
  byteCount: number
  chunks: AsyncIterable<Uint8Array>
}

/** Stored bytes, read when they are asked for. */
export interface StoredBody extends Blob {
  /** When they were written, epoch milliseconds. */
  readonly lastModified: number
}

/** The bytes are not on this machine, and cannot be fetched now. */
export class ContentAway extends Error {}

/**
 * Stores the bytes of pages, images, files and what visitors sent, addressed by their content.
 *
 * Guarantees: once `put` resolves, all bytes are on disk; a reader never sees a part of them. If `chunks` throws, `put` rejects
 * with that error and has stored nothing. Putting existing bytes again changes nothing, and replaces damaged ones. A read in
 * progress reaches its end even if the bytes are deleted; bytes that were opened but not read may be gone.
 */
export interface AssetStore {
  put(key: StoredBytes, bytes: Uint8Array | StreamedBytes): Promise<void>
  /**
   * The bytes as a lazily read Blob, whether or not they are damaged, or `null` if they are not stored.
   *
   * @throws ContentAway in a cluster
   */
  open(key: StoredBytes): Promise<StoredBody | null>
  /** Deletes every stored encoding of the hash, at once, so that it fits into a transaction. Deleting an unknown hash is not an error. */
  delete(sha256: string): void
  /** The stored hashes, in no order. */
  list(): AsyncIterable<string>
}
