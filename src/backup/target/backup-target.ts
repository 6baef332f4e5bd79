export interface StoredObject {
  name: string
  bytes: number
  /** When it was put, by the target's clock, epoch milliseconds. */
  at: number
}

/** The largest object. Larger bundles are put in parts (bundle.ts). */
export const objectBytesMax = 16 * 1024 * 1024

/**
 * Where backups are stored as named objects: a folder or a bucket.
 *
 * Names are parts of `[A-Za-z0-9._-]`, joined by `/`. No name is the folder of another.
 *
 * Guarantees: an object exists completely under its name, or not at all; once `put` or `putNew` resolves, it is durable; after a
 * rejection, it may be stored nevertheless; a listing has every object that was put before it began. Every call ends in bounded
 * time.
 *
 * Every method throws a `TargetFault`.
 */
export interface BackupTarget {
  /** As in the configuration, without secrets. */
  readonly url: string
  /** Replaces an object of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Puts the object unless the name is taken. Of several calls at once, one wins. @returns whether it was put */
  putNew(name: string, bytes: Uint8Array): Promise<boolean>
  /** `null`: there is no such object. */
  get(name: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** The objects whose names begin with a folder's, such as `bases/`, in ascending order; `after`: only later names. */
  list(folder: string, after?: string): AsyncIterable<StoredObject>
  /** Deleting an unknown name succeeds. */
  delete(name: string): Promise<void>
}

/** A configured target. */
export interface OpenedTarget {
  target: BackupTarget
  /** Makes the place of a target that is used for the first time. */
  create: () => Promise<void>
}

/**
 * Why a target failed.
 *
 * - `away`: it cannot be reached now
 * - `full`: it has no space left
 * - `refused`: keys or permissions do not allow it
 */
export class TargetFault extends Error {
  constructor(
    readonly kind: 'away' | 'full' | 'refused',
    /** Completes "The target …". Contains no secret. */
    message: string,
  ) {
    super(message)
  }
}

/** A damaged, missing or foreign object. `message` completes the sentence that begins with its name. */
export class ObjectFault extends Error {
  constructor(
    /** The object's name at its target. */
    readonly object: string,
    message: string,
  ) {
    super(message)
  }
}

/** Why a backup failed, as the end of a sentence that begins with "The target …"; `null`: it is a bug. */
export function faultWords(error: unknown): string | null {
  if (error instanceof ObjectFault) return `has a damaged object: ${error.object} ${error.message}`
  return error instanceof TargetFault ? error.message : null
}
