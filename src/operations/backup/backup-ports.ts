import type { AssetStore } from '../../asset/asset-store.ts'
import type { IncrementLine, StoredLedgerRow } from '../../backup/format/increment-lines.ts'
import type { CopiedDatabase } from '../../backup/source.ts'
import type { ErasureEntry } from '../../ledger/decision.ts'
import type { OpenedFile } from '../../lib/opened-file.ts'
import type { PublishedAs } from '../asset/damaged-assets.ts'

export interface BackupPorts {
  outFiles: OutFiles
  /** Copies the database, which may be in use, and checks the copy. @throws CopyFault */
  copyTo(file: string): DatabaseCopy
}

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

/** A file that appears complete or not at all. */
export interface OutFile {
  write(content: string | Uint8Array): Promise<void>
  /** What was written so far, as the disk has it. */
  readBack(): Promise<OpenedFile>
  /** Durably gives the file its name, replacing an earlier file. */
  finish(): Promise<void>
  discard(): Promise<void>
}

/** A hidden folder beside a file for its unfinished parts. */
export interface ScratchFolder {
  dir: string
  remove(): void
}

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
  discard(): void
}

export interface RestoreFolders {
  /** @throws OperatorError when the file cannot be read, or is a database in use */
  open(file: string): Promise<RestoreSource>
  /** @throws OperatorError before anything is unpacked, when the folder could not be put in place */
  prepare(dataDir: string, now: number): Promise<RestorePlace>
  /** Locks the folder against serving or publishing. @throws OperatorError that names the process that has the lock */
  lock(folder: string, names: ('serve' | 'publish')[]): { release(): void }
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
  assetsOf(staged: string): Promise<AssetStore>
  /** Links a content from another folder's asset store. Resolves to whether that store has it undamaged. */
  adopt(from: string, staged: string, sha256: string): Promise<boolean>
  /** Makes the folder's directory entries durable. */
  sync(folder: string): Promise<void>
  /** The database to compare with: the present folder's, or else that of the latest folder moved aside. */
  present(dataDir: string): { folder: string; database: string } | null
}

export interface UnrestoredRecords {
  /** Includes refused submissions. */
  submissions: number
  events: number
  pageViews: number
  clicks: number
  /** Records of kinds that only a newer version of capture knows. */
  others: number
  accounts: string[]
}

export type RecordCounts = Omit<UnrestoredRecords, 'accounts'>

/** Decisions in the present folder that the restored database undoes. */
export interface UndoneRemovals {
  /** Handles of removed accounts that are back. */
  removedAccounts: string[]
  /** Released submissions that are refused again. */
  releases: { account: string; submissionId: string }[]
  /** Submissions that an operator refused, and that count again. */
  refusals: { account: string; submissionId: string }[]
}

/** What was erased again, because it had been erased after the backup. */
export interface ErasedAgain {
  /** The number of erasures that came after the backup. */
  erasures: number
  /** The number of records that the backup still had and that were removed. */
  records: number
  /** Whether no byte of the restored database holds the addresses any more. */
  verified: boolean
  /** The number of devices that could not be derived again without erased records. */
  notDerived: number
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
  /** Takes over and carries out erasures that the folder's database does not know, or of which it still has something. */
  eraseAgain(folder: string, log: readonly ErasureEntry[]): Promise<ErasedAgain>
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
  rights: RestoreRights
}

export interface MovingPorts {
  dataDir: string
  folders: Pick<RestoreFolders, 'open' | 'writeDatabase' | 'writeSealKey' | 'removeUnfinished'>
  databases: Pick<RestoredDatabases, 'accept' | 'eraseAgain'>
  /** Copies one account. @param since only its records received since, epoch milliseconds; `null`: all of it */
  copyAccount(accountId: string, since: number | null, file: string): DatabaseCopy
  /** @param folder of the accepted database. @throws OperatorError when it holds no account, or several */
  arrival(folder: string): AccountFile
}

/** An unpacked and accepted file with one account of another box, beside the opened box. */
export interface AccountFile {
  account: { id: string; handle: string }
  /** Whether the box has this very account: by its id, not by its handle. */
  isHere: boolean
  /** What was erased of the account here, when it was on this box before. */
  erasuresHere(): ErasureEntry[]
  /**
   * Stores the whole account, which becomes visible once processing has passed it over, in steps that hold the write lock for at
   * most 20 ms. A kill leaves what the next `takeIn` or the next publication deletes.
   *
   * @param catchUp called until processing has passed over what is stored
   * @throws OperatorError when its handle or a domain is taken, or earlier records wait for too long
   */
  takeIn(catchUp: () => Promise<unknown>): Promise<{ records: number }>
  /** Adds records that the account does not have here and that were not erased here. Answers what the file tells of erasures. */
  addLater(): Promise<{ records: number; erasures: ErasureEntry[] }>
  close(): void
}
