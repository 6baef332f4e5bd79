/** An object of a target, as a listing has it. */
export interface StoredObject {
  name: string
  bytes: number
  /** When it was put, by the target's clock, epoch milliseconds. */
  at: number
}

/** The largest object. Whatever is larger is put in parts (bundle-writer.ts). */
export const objectBytesMax = 16 * 1024 * 1024

/**
 * Where backups go: a folder, a bucket. It keeps named objects.
 *
 * Names are parts of `[A-Za-z0-9._-]`, joined by `/`. No name is the folder of another.
 *
 * Guarantees: an object is there whole under its name, or not at all, whatever happens meanwhile; once `put` or `putNew`
 * resolves it is durable; a rejected one may have been stored all the same; a listing has every object that was put before
 * it began. Everything ends in bounded time.
 *
 * Every method throws a `TargetFault`.
 */
export interface BackupTarget {
  /** As the configuration names it. It holds no secret. */
  readonly url: string
  /** Replaces an object of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Puts the object unless the name is taken, and answers whether it did. Of several at once, one wins. */
  putNew(name: string, bytes: Uint8Array): Promise<boolean>
  /** `null`: there is none. */
  get(name: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** The objects whose names begin with a folder's, such as `bases/`, in ascending order; `after`: only names behind it. */
  list(folder: string, after?: string): AsyncIterable<StoredObject>
  /** Deleting a name that is not there is no fault. */
  delete(name: string): Promise<void>
}

/**
 * Why a target did not do what was asked.
 *
 * - `away`: it cannot be reached now
 * - `full`: it takes no more
 * - `refused`: it does not let this box, by its keys or permissions
 */
export class TargetFault extends Error {
  constructor(
    readonly kind: 'away' | 'full' | 'refused',
    /** Completes "The target …", and holds no secret. */
    message: string,
  ) {
    super(message)
  }
}
