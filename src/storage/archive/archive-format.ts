import type { MovedAccountNote } from '../../operations/backup/backup-ports.ts'

/**
 * A backup is one uncompressed tar file, so that any tar can look into it. In this order:
 *
 * - `capture-backup.json`: the manifest
 * - `capture.db`: the database, a consistent copy
 * - `seal.key`: the key of the secrets in the database; absent: none of them is sealed
 * - `assets/<sha256>`, `assets/<sha256>.br`, `assets/<sha256>.gz`: published bytes, in order of these names
 * - `sha256`: the SHA-256, in hex, of every byte of the file before this entry
 */
export const manifestName = 'capture-backup.json'
export const databaseName = 'capture.db'
export const digestName = 'sha256'

export const manifestBytesMax = 10_000
export const digestBytes = 65

/** What a backup states about itself. */
export interface Manifest {
  format: 1
  /** ISO 8601. */
  createdAt: string
  /** The version of the program that wrote it. */
  program: string
  /**
   * Hashes of published contents that were damaged on the box and are missing here; only some of them if there are
   * many.
   */
  damaged?: string[]
  /** The only account in it; absent: it holds a whole box. */
  account?: MovedAccountNote
}

/** Hashes named by a manifest. */
export const damagedNamedMax = 100
