import type { AssetStore } from '../../asset/asset-store.ts'
import type { BackupSource, CopiedDatabase } from '../../backup/source.ts'
import type { BackupTarget } from '../../backup/target/backup-target.ts'
import type { TargetStates } from '../../backup/target-state.ts'
import type { PublishedAs } from '../asset/damaged-assets.ts'

/** A consistent, read-only copy of the database. */
export interface DatabaseCopy extends Pick<CopiedDatabase, 'file' | 'sealKey' | 'hashes' | 'close'> {
  publishedAs: PublishedAs
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

/** What a file says that holds one account for another box. */
export interface MovedAccountNote {
  handle: string
  /** It holds only records received since, ISO 8601; `null`: the whole account. */
  since: string | null
}

/** The contents of a backup. */
export interface BackupContents {
  /** ISO 8601. */
  createdAt: string
  /** The program's version. */
  program: string
  /** Hashes of damaged contents, which are left out. */
  damaged: string[]
  /** Absent: it holds a whole box. */
  account?: MovedAccountNote | undefined
  /** A closed copy of the database. */
  databaseFile: string
  sealKey: Uint8Array | null
  /** The distinct hashes in the copy, in ascending order. */
  hashes: Iterable<string>
  assets: Pick<AssetStore, 'open'>
}

/** Writes and verifies backup files. */
export interface BackupArchive {
  /** The caller must prevent the collection of assets meanwhile. */
  write(contents: BackupContents, sink: (chunk: Uint8Array) => Promise<void>): Promise<WrittenContents>
  /** Reads a backup to its end. @throws Error with a message that completes "it …" */
  verify(file: string): Promise<void>
  /** The SHA-256 of the file, in hex. */
  digest(file: string): Promise<string>
}

/** The number of published contents in a backup, and of those that the store lacks. */
export interface WrittenContents {
  assets: number
  missing: number
}

export interface BackupPorts {
  outFiles: OutFiles
  copies: DatabaseCopies
  archive: BackupArchive
}

/** A file that appears complete or not at all. */
export interface OutFile {
  /** The path of the unfinished file, for verification. */
  temporary: string
  write(content: string | Uint8Array): Promise<void>
  /** Durably gives the file its name, replacing an earlier file. */
  finish(): Promise<void>
  /** Deletes the unfinished file. */
  discard(): Promise<void>
}

/** A hidden folder beside a file for its unfinished parts. */
export interface ScratchFolder {
  dir: string
  /** Removes it with everything in it. */
  remove(): void
}

/**
 * Writes files outside of the data folder.
 *
 * Guarantees: the box knows the leftovers of an interrupted or killed writer, and the next writer removes them.
 */
export interface OutFiles {
  /** @throws OperatorError when the file cannot be written or is inside the data folder */
  begin(file: string): Promise<OutFile>
  scratch(file: string): ScratchFolder
}

/** A configured target. */
export interface OpenedTarget {
  target: BackupTarget
  /** Makes the place of a target that is used for the first time. */
  create: () => Promise<void>
}

/** What backups to targets are made with. */
export interface TargetPorts {
  source: BackupSource
  states: TargetStates
  /** A file for a copy of the database, which goes with `remove`. */
  scratch: () => { file: string; remove(): void }
  close(): void
}
