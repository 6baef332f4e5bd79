import type { ContentEncoding } from './asset.ts'

/** What published bytes are held as, in the order of their names in a backup. */
export const storedEncodings = ['identity', 'br', 'gzip'] as const satisfies StoredBytes['encoding'][]

/** What the name of a file that holds bytes so encoded ends in. */
export const encodingSuffixes = { identity: '', br: '.br', gzip: '.gz' } as const satisfies Record<
  StoredBytes['encoding'],
  string
>

/** Names stored bytes: by the SHA-256 of the published bytes, and the encoding they are held in. */
export interface StoredBytes {
  /** Lower-case hex, 64 characters. */
  sha256: string
  encoding: ContentEncoding | 'identity'
}

/** Bytes that come piece by piece, so that a large file need not fit into memory. Each piece is good until the next. */
export interface StreamedBytes {
  byteCount: number
  chunks: AsyncIterable<Uint8Array>
}

/** Stored bytes, read when they are asked for. */
export interface StoredBody extends Blob {
  /** When they were written, epoch milliseconds. */
  readonly lastModified: number
}

/**
 * Keeps the bytes of pages, images and files, addressed by their content.
 *
 * Guarantees: after `put` resolves the bytes are on disk whole, whatever happens next; a reader never sees half of them;
 * when `chunks` throws, `put` rejects with that and has stored nothing;
 * putting what is there already changes nothing, and over damaged bytes mends them; what is being read can be read to its end even when deleted meanwhile; what was opened
 * and is not read yet may be gone.
 */
export interface AssetStore {
  put(key: StoredBytes, bytes: Uint8Array | StreamedBytes): Promise<void>
  /** The bytes as a lazily read Blob, whether or not they are damaged, or `null` when they are not held. */
  open(key: StoredBytes): Promise<StoredBody | null>
  /** Deletes every encoding held for the hash. Deleting an unknown hash is not an error. */
  delete(sha256: string): Promise<void>
  /** The hashes held, in no order. */
  list(): AsyncIterable<string>
}
