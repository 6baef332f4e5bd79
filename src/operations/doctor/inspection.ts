import type { AccountStore } from '../../account/account-store.ts'
import type { AssetStore } from '../../asset/asset-store.ts'
import type { RefusingEndpoint } from '../../capture/refusal-log.ts'
import type { CertificateStore } from '../../https/certificate-store.ts'
import type { LeftOut } from '../../ledger/ledger.ts'
import type { ProcessingReport } from '../../processing/processing.ts'
import type { RetentionKeeper } from '../../processing/retention-keeper.ts'
import type { PublishedAs } from '../asset/published-name.ts'
import type { Box } from '../box.ts'

/** What a look at a box works with. It changes nothing, and the box may be absent, damaged or of another version. */
export interface Inspection extends Pick<Box, 'config' | 'clock' | 'proxyNote' | 'isServed' | 'certificateFiles'> {
  /** Absolute; `null`: there is none, and the defaults hold. */
  configFile: string | null
  /** What was found wrong with the configuration. */
  configWarnings: string[]
  folder: FolderInspector
  /** Opens the database for reading alone; `null`: there is no file. @throws when it cannot be opened */
  openDatabase(): DatabaseInspector | null
  /** What to do about a database that a later version has changed. */
  wayBack(): Promise<string>
  /** A setting of the kernel, such as `net.ipv4.tcp_migrate_req`; `null`: it does not have it, or does not show it. */
  kernelSetting(name: string): Promise<string | null>
}

/** The data folder, and what lies around it. */
export interface FolderInspector {
  look(): FolderLook
  /** Megabytes free on the volume that the folder is on, or will be. */
  freeMegabytes(): Promise<number>
  /** Who serves from the folder; `null`: nobody. @throws when the lock cannot be read */
  servedBy(): { pid: number; doing: string; since: string } | null
  /** Boxes that restores have moved aside, the latest first. */
  movedAside(): string[]
  /** Boxes for which the configuration was used before. */
  otherBoxes(): string[]
  /** Whether contents were ever published into it. */
  holdsContents(): boolean
  assets(): Promise<Pick<AssetStore, 'open'>>
  /** What killed commands have left of files that they wrote. */
  unfinishedFiles(): { dir: string; file: string; begunAt: number }[]
  /** Folders that killed restores have left. */
  unfinishedRestores(): string[]
}

export type FolderLook =
  | { kind: 'absent' }
  | { kind: 'no folder' }
  /** `unwritable`: why it cannot be written to; `null`: it can. */
  | { kind: 'folder'; mode: number; uid: number; unwritable: string | null }

/** What could not be stored. */
export interface LostRecords {
  handle: string
  endpoint: RefusingEndpoint
  count: number
}

/** A removal of an account that was interrupted, or is under way. */
export interface UnfinishedRemoval {
  /** What stands in for the account's handle, which is free again. */
  handle: string
  /** The account's; `null` where only late records are left. */
  name: string | null
  /** Epoch milliseconds. */
  begunAt: number
}

/** What reading every row of some kinds of a box's ledger has come to. */
export interface RowCheck {
  /** Rows that can be read and are as they were stored, as far as anything tells. */
  sound: number
  /** How many of these have no checksum. */
  unchecked: number
  /** Rows that readers leave out; each place where nothing tells how many there were counts as one. */
  leftOut: number
  /** The first of them, with their account's handle. */
  described: { handle: string; leftOut: LeftOut }[]
}

export interface LedgerCheck {
  /** What was captured: an export leaves out what cannot be read. */
  records: RowCheck
  /** What operators decided about records; of removed accounts too. */
  decisions: RowCheck
}

/** Records of an account that had been erased, and are in the ledger again since an older backup was restored. */
export interface ReturnedRecords {
  handle: string
  count: number
}

/** A database that was opened for reading. Everything may throw where it is damaged. */
export interface DatabaseInspector {
  file: string
  bytes(): number
  /** Of its write-ahead log. */
  logBytes(): number
  /** What its own check of all its pages finds; `null`: nothing. */
  damage(): string | null
  /** Steps of the schema that were applied and that this program knows; `fault`: why it cannot use it. */
  schema(): { applied: number; known: number; fault: string | null }
  /** Whether an error says that the place in the file fails that was read, and others may be sound. */
  isDamage(error: unknown): boolean
  /** Reads every row of the ledger as those do who need it. */
  checkLedger(): Promise<LedgerCheck>
  /** The hashes of published contents that it names. */
  contents(): Iterable<string>
  publishedAs: PublishedAs
  /** What could not be stored since the instant, most first. */
  lostRecords(since: number): LostRecords[]
  backlog(): ProcessingReport
  unfinishedRemovals(): UnfinishedRemoval[]
  returnedRecords(): ReturnedRecords[]
  recordsReceivedAfter(at: number): { count: number; latestAt: number | null }
  retention: RetentionKeeper
  accounts: AccountStore
  certificates: CertificateStore
  connectedDomains(): { host: string; handle: string }[]
  holdsAccounts(): boolean
  close(): void
}
