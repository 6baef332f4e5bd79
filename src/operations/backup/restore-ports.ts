import type { AssetStore, StoredBytes, StreamedBytes } from '../../asset/asset-store.ts'
import type { OpenedFile } from '../../lib/opened-file.ts'

/** What is restored from. */
export interface RestoreSource {
  /** `backup`: what `capture backup` wrote. `snapshot`: a database alone, as a migration leaves it in `data/snapshots`. */
  kind: 'backup' | 'snapshot'
  file: string
  handle: OpenedFile
  /** When a snapshot was written, ISO 8601. */
  writtenAt(): Promise<string>
}

/** Where a restored folder is made, and how it gets into its place. */
export interface RestorePlace {
  /** The new folder, until it takes its place. */
  readonly staged: string
  /** Whether there is a folder that somebody could be using. */
  readonly isOccupied: boolean
  /** Moves the present folder aside and the new one into its place; answers where the old one is. */
  swap(): Promise<string | null>
  /** Leaves no trace of a folder that did not take its place. */
  discard(): Promise<void>
}

/** Folders and files of a restore. */
export interface RestoreFolders {
  /** @throws OperatorError when the file cannot be read, or is a database that somebody writes to */
  open(file: string): Promise<RestoreSource>
  /** @throws OperatorError when the folder could not be put in place, before anything is unpacked */
  prepare(dataDir: string, now: number): Promise<RestorePlace>
  /** Keeps others from serving from the folder, or publishing into it. @throws OperatorError that says who does */
  lock(folder: string, names: ('serve' | 'publish')[]): { release(): void }
  /** Removes what killed commands have left beside files that they wrote. */
  removeUnfinished(dataDir: string): void
  /** Folders beside the data folder that killed restores have left. */
  abandoned(dataDir: string): string[]
  remove(folder: string): void
  /** Writes the database of a staged folder, and syncs it. */
  writeDatabase(staged: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** The asset store of a staged folder. */
  assetsOf(staged: string): Promise<AssetStore>
  /** Takes contents over from the asset store of another folder; answers whether it holds them undamaged. */
  adopter(from: string, staged: string): (sha256: string) => Promise<boolean>
  /** Makes the names in the folder durable. */
  sync(folder: string): Promise<void>
  /** The database to compare a restored one with: the present folder's, or else the latest that was moved aside. */
  present(dataDir: string): { folder: string; database: string } | null
}

/** What a data folder holds that a database restored in its place does not know of. */
export interface UnrestoredRecords {
  /** Records by kind, refused submissions among them. */
  submissions: number
  events: number
  pageViews: number
  clicks: number
  /** Records of kinds that a newer version of capture made. */
  others: number
  /** Handles of accounts. */
  accounts: string[]
}

/** What was taken from a data folder, and is in a database restored in its place. */
export interface UndoneRemovals {
  /** Persons erased; `null`: the folder's version kept no log of them yet. */
  erasures: number | null
  /** Records that these erasures had taken, and that are back. */
  erasedRecords: number
  /** Handles of accounts that had been removed. */
  removedAccounts: string[]
}

export interface RestoredDatabases {
  /**
   * Proves that a database from elsewhere is one that this program can run on, and brings it to its schema. `missing`:
   * hashes that it names and `holds` does not know. @throws Error with what is wrong, to be read after "a database that …"
   */
  accept(
    staged: string,
    options: { now: number; holds: (sha256: string) => Promise<boolean> },
  ): Promise<{ accounts: number; missing: number }>
  /**
   * Compares the database that is to be moved aside with the one that takes its place, and takes over the log of what
   * was erased there. @throws when the first cannot be read
   */
  compare(present: string, staged: string): { leftBehind: UnrestoredRecords; undone: UndoneRemovals }
}

/** Reads backups; believes nothing of them. */
export interface BackupReading {
  /** @throws ArchiveFault when it is not whole or not a backup */
  read(
    handle: OpenedFile,
    target: {
      database(chunks: AsyncIterable<Uint8Array>): Promise<void>
      asset(key: StoredBytes, content: StreamedBytes): Promise<void>
    },
  ): Promise<{ createdAt: string; damaged: string[]; assets: number }>
}

/** In whose name a restore acts: root may move a folder that its owner may not, and touches what is in it as the owner. */
export interface RestoreRights {
  asOwner(): void
  asCaller(): void
}

export interface RestorePorts {
  folders: RestoreFolders
  databases: RestoredDatabases
  archive: BackupReading
  rights: RestoreRights
}
