import type { SigningKeyStore } from '../../account/signing-key.ts'
import type { AssetStore, StoredBytes, StreamedBytes } from '../../asset/asset-store.ts'
import type { IncrementLine, StoredLedgerRow } from '../../backup/format/increment-lines.ts'
import type { ErasureEntry } from '../../ledger/decision.ts'
import type { OpenedFile } from '../../lib/opened-file.ts'
import type { Erasure, ErasureCounts } from '../../processing/erasure.ts'
import type { MovedAccountNote } from './backup-ports.ts'

/** The file to restore from. */
export interface RestoreSource {
  /** `backup`: written by `capture backup`; `sealed`: encrypted with age. `snapshot`: only a database, as a migration leaves it in `data/snapshots`. */
  kind: 'backup' | 'sealed' | 'snapshot'
  file: string
  handle: OpenedFile
  /** When a snapshot was written, ISO 8601. */
  writtenAt(): Promise<string>
}

/** Stages a restored folder and puts it in place. */
export interface RestorePlace {
  /** The path of the new folder before the swap. */
  readonly staged: string
  /** Whether a data folder exists that a process could be using. */
  readonly isOccupied: boolean
  /** Moves the present folder aside and the new one into its place. Returns the old folder's new path. */
  swap(): Promise<string | null>
  /** Deletes the staged folder. */
  discard(): Promise<void>
}

/** Folders and files of a restore. */
export interface RestoreFolders {
  /** @throws OperatorError when the file cannot be read, or is a database in use */
  open(file: string): Promise<RestoreSource>
  /** @throws OperatorError before anything is unpacked, when the folder could not be put in place */
  prepare(dataDir: string, now: number): Promise<RestorePlace>
  /** Locks the folder against serving or publishing. @throws OperatorError that names the process that has the lock */
  lock(folder: string, names: ('serve' | 'publish')[]): { release(): void }
  /** Removes unfinished files of killed commands. */
  removeUnfinished(dataDir: string): void
  /** Folders beside the data folder that killed restores left behind. */
  abandoned(dataDir: string): string[]
  remove(folder: string): void
  /** Writes the database of a staged folder, and syncs it. */
  writeDatabase(staged: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Puts the key of the database's secrets into a staged folder. Where the data folder that it replaces has a link to the same key
   * elsewhere, so has the staged one.
   */
  writeSealKey(staged: string, key: Uint8Array, dataDir: string): void
  /** The keys beside a snapshot, in the folder that it belongs to, and in the data folder. */
  sealKeysNear(snapshot: string, dataDir: string): Uint8Array[]
  /** The asset store of a staged folder. */
  assetsOf(staged: string): Promise<AssetStore>
  /** Links contents from another folder's asset store. Resolves to whether that store has them undamaged. */
  adopter(from: string, staged: string): (sha256: string) => Promise<boolean>
  /** Makes the folder's directory entries durable. */
  sync(folder: string): Promise<void>
  /** The database to compare with: the present folder's, or else that of the latest folder moved aside. */
  present(dataDir: string): { folder: string; database: string } | null
}

/** Records of the present folder that the restored database lacks. */
export interface UnrestoredRecords {
  /** Includes refused submissions. */
  submissions: number
  events: number
  pageViews: number
  clicks: number
  /** Records of kinds that only a newer version of capture knows. */
  others: number
  /** Handles of accounts. */
  accounts: string[]
}

/** How many records a ledger has. */
export type RecordCounts = Omit<UnrestoredRecords, 'accounts'>

/** Decisions in the present folder that the restored database undoes. */
export interface UndoneRemovals {
  /** Handles of removed accounts that are back. */
  removedAccounts: string[]
  /** Released submissions that are refused again. */
  releases: { account: string; submissionId: string }[]
}

/** A staged database in which persons are erased again. */
export interface ErasingAgain {
  erasure: Erasure
  signingKeys: Pick<SigningKeyStore, 'read'>
  /**
   * Adds the entries that the staged database does not know to its log. Answers these, and those of which it still has a record
   * or the person.
   */
  takeOver(log: readonly ErasureEntry[]): ErasureEntry[]
  /** The addresses of the persons, and those that the records name as their senders'. */
  addressesOf(accountId: string, erased: { persons: string[]; records: string[] }): Promise<string[]>
  /** Removes the records that are there, and logs that as an erasure. */
  eraseRecords(accountId: string, records: string[]): Promise<ErasureCounts>
  /** How many devices could not be derived again without erased records. */
  notDerived(): number
  close(): void
}

/** Which part of the ledger increments have added. Positions are the ledger's. */
export interface ReplayedRange {
  /** Up to here the base has the ledger, and has processed it. */
  base: { to: number; processed: number }
  /** The same of the last increment. */
  last: { to: number; processed: number }
}

/** A staged copy of a base that increments are put into. */
export interface Replay {
  /**
   * Puts an increment's lines in, or nothing. @param behind where the base ends @param withState whether rows of tables are to be
   * put in. @throws TypeError when the lines are of no box
   */
  put(lines: AsyncIterable<IncrementLine>, options: { behind: number; withState: boolean }): Promise<void>
  /** Call after the last increment. What it says is processed has been delivered, and is not delivered again. */
  end(range: ReplayedRange): void
  /** What rows of the ledger tell of erasures in accounts that the copy knows. */
  erasuresIn(rows: readonly StoredLedgerRow[]): ErasureEntry[]
  close(): void
}

export interface RestoredDatabases {
  /** @throws Error with a message that completes "The base …" */
  replay(staged: string): Replay
  /** Whether the key opens the secrets of the staged database. */
  opensWith(staged: string, key: Uint8Array): boolean
  /**
   * Checks that this program can run on the database, and migrates it. `missing`: referenced hashes for which `holds` is
   * false. @throws Error with a message that completes "a database that …"
   */
  accept(
    staged: string,
    options: { now: number; holds: (sha256: string) => Promise<boolean> },
  ): Promise<{ accounts: number; missing: number }>
  /** Compares the present database with the staged one. @throws when the present database cannot be read */
  compare(present: string, staged: string): { leftBehind: UnrestoredRecords; undone: UndoneRemovals }
  /** @returns the records of a staged database */
  count(staged: string): RecordCounts
  /** The log of erasures in a database. @throws when it cannot be read */
  erasureLog(present: string): ErasureEntry[]
  erasing(staged: string): Promise<ErasingAgain>
}

/** Reads backups as untrusted input. */
export interface BackupReading {
  /** @throws ArchiveFault when the file is incomplete or not a backup */
  read(handle: OpenedFile, takers: BackupTakers): Promise<ReadBackup>
}

/** Where the parts of a backup go. */
export interface BackupTakers {
  /** Reads all chunks; each is valid only until the next one. */
  database(chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Called after the database, if its secrets are sealed. */
  sealKey(key: Uint8Array): void
  /** Reads all chunks or none; the chunks throw at their end if the bytes do not match their hash. */
  asset(key: StoredBytes, content: StreamedBytes): Promise<void>
}

export interface ReadBackup {
  createdAt: string
  damaged: string[]
  account: MovedAccountNote | null
  /** Published contents in it. */
  assets: number
}

/** Switches users during a restore: root may have to move the folder, while its contents are written as their owner. */
export interface RestoreRights {
  asOwner(): void
  asCaller(): void
}

/** For a restore, or a part of one, that runs as the data folder's owner throughout. */
export const asOneUser: RestoreRights = { asOwner: () => {}, asCaller: () => {} }

export interface RestorePorts {
  folders: RestoreFolders
  databases: RestoredDatabases
  archive: BackupReading
  rights: RestoreRights
}
