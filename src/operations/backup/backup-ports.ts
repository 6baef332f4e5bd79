import type { AssetStore } from '../../asset/asset-store.ts'
import type { PublishedAs } from '../asset/published-name.ts'
import type { OutFiles } from './out-files.ts'

/** A copy of the database as it was at one moment, which nobody writes to. */
export interface DatabaseCopy {
  file: string
  /** The hashes of published contents that it names, in ascending order, each once. */
  contents(): Iterable<string>
  publishedAs: PublishedAs
  close(): void
}

/** Why the database could not be copied. */
export class CopyFault extends Error {
  constructor(
    message: string,
    /** Whether the database itself is damaged. */
    readonly isDamaged: boolean,
  ) {
    super(message)
  }
}

export interface DatabaseCopies {
  /** Copies the database, which may be in use, and checks the copy. @throws CopyFault */
  copyTo(file: string): DatabaseCopy
}

/** What goes into a backup. */
export interface BackupContents {
  /** ISO 8601. */
  createdAt: string
  /** The version of the program that writes it. */
  program: string
  /** Hashes of published contents that are damaged, and left out. */
  damaged: string[]
  /** A closed copy of the database. */
  databaseFile: string
  /** The hashes that the copy names, in ascending order, each once. */
  hashes: Iterable<string>
  assets: Pick<AssetStore, 'open'>
}

/** The format of backups. */
export interface BackupArchive {
  /** Nothing may be collected from the asset store meanwhile. `missing`: contents that are named and not held. */
  write(
    contents: BackupContents,
    sink: (chunk: Uint8Array) => Promise<void>,
  ): Promise<{ assets: number; missing: number }>
  /** Reads a backup to its end. @throws Error with what is wrong, to be read after "it …" */
  verify(file: string): Promise<void>
}

export interface BackupPorts {
  outFiles: OutFiles
  copies: DatabaseCopies
  archive: BackupArchive
}
