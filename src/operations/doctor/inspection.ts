import type { AccountStore } from '../../account/account-store.ts'
import type { DestinationKind } from '../../account/destination.ts'
import type { AssetStore } from '../../asset/asset-store.ts'
import type { TargetState } from '../../backup/target-state.ts'
import type { RefusingEndpoint } from '../../capture/refusal-log.ts'
import type { PauseReason } from '../../delivery/delivery-control.ts'
import type { CertificateStore } from '../../https/certificate-store.ts'
import type { ProcessingReport } from '../../processing/processing.ts'
import type { RetentionKeeper } from '../../processing/retention.ts'
import type { PublishedAs } from '../asset/damaged-assets.ts'
import type { ChainCheck } from '../audit/chain-check.ts'
import type { Box } from '../box.ts'
import type { Diagnosis } from '../check-result.ts'
import type { ClusterStatus } from '../cluster/cluster-status.ts'

/** Read-only access to a box, which may be absent, damaged or of another version. */
export interface Inspection extends Pick<Box, 'config' | 'clock' | 'proxyNote' | 'isServed' | 'certificateFiles'> {
  /** Absolute; `null`: there is none, and the defaults apply. */
  configFile: string | null
  configWarnings: string[]
  folder: FolderInspector
  /** `null`: a single box. */
  cluster: ClusterInspection | null
  /** Opens the database read-only; `null`: there is no file. @throws when it cannot be opened */
  openDatabase(): DatabaseInspector | null
  /** Advice for a database that a later version has changed. */
  wayBack(): Promise<string>
  /** What the running service's threads did that it does not start again, such as `delivers`. */
  stalledThreads(): Promise<readonly string[]>
  /** A kernel setting such as `net.ipv4.tcp_migrate_req`; `null`: absent or not readable. */
  kernelSetting(name: string): Promise<string | null>
}

/** What a node shares with others, as its configuration leads there. Nothing of it is changed. */
export interface ClusterInspection {
  /**
   * Of the connection to the database. `local`: it is on this machine; `open`: without TLS, or with a server that is not
   * verified.
   */
  connection: 'verified' | 'local' | 'open'
  storeUrl: string
  /** @param boxId names the cluster @returns a sentence where the database refuses to say it */
  status(boxId: string): Promise<ClusterStatus | string>
  /** Nodes that serve, and do not answer this machine at their `[cluster] listen`. */
  unreached(boxId: string): Promise<{ name: string; address: string }[]>
  /** `null`: it does not say. */
  database(): Promise<DatabaseTraits | null>
  /** When the newest base was put there; `words`: why it cannot be used, to complete "The store …". */
  store(): Promise<{ words: string | null; baseAt: number | null }>
  /** Why the server of budgets cannot be used; `null`: it can, or there is none. */
  budgets(): Promise<string | null>
  /** What this node keeps on its own disk until the database is back. */
  spooled(): { waiting: number; damaged: readonly string[] }
  /** The hashes of all contents in the store; `null`: it cannot be read. */
  storedContents(): Promise<ReadonlySet<string> | null>
}

/** How the database of a cluster is set up. */
export interface DatabaseTraits {
  version: string
  fsync: boolean
  synchronousCommit: string
  /** As in `synchronous_standby_names`; empty: none. */
  standbys: string
  autovacuum: boolean
  /** Of the table that batches pass through. */
  deadRows: number
}

export interface FolderInspector {
  look(): FolderLook
  /** Free megabytes on the folder's volume, even if the folder does not exist yet. */
  freeMegabytes(): Promise<number>
  /** The process that serves from the folder; `null`: none. @throws when the lock cannot be read */
  servedBy(): { pid: number; doing: string; since: string } | null
  /** Folders that restores moved aside, latest first. */
  movedAside(): string[]
  /** Other boxes that the configuration was used with before. */
  otherBoxes(): string[]
  holdsContents(): boolean
  assets(): Promise<Pick<AssetStore, 'open'>>
  unfinishedFiles(): { dir: string; file: string; begunAt: number }[]
  unfinishedRestores(): string[]
  targetState(url: string): TargetState
}

export type FolderLook =
  | { kind: 'absent' }
  | { kind: 'no folder' }
  /** `unwritable`: why the folder is not writable; `null`: it is. `sealKey`: the file, where a link leads; `null`: there is none. */
  | {
      kind: 'folder'
      mode: number
      uid: number
      unwritable: string | null
      sealKey: { file: string; mode: number } | null
    }

export interface LostRecords {
  handle: string
  endpoint: RefusingEndpoint
  count: number
}

/** A removal of an account that was interrupted or is in progress. */
export interface UnfinishedRemoval {
  /** The placeholder for the account's handle, which is free again. */
  handle: string
  /** The account's name; `null`: only late records are left. */
  name: string | null
  begunAt: number
  /** It did not go: it was coming from another box. */
  isArrival: boolean
}

/** What reading every row of some kinds of a box's ledger has come to. */
export interface RowCheck {
  sound: number
  damaged: number
  /** The first damaged ones, with their account's handle. */
  described: { handle: string; id: string }[]
}

export interface LedgerCheck {
  records: RowCheck
  /** What operators decided about records; of removed accounts too. */
  decisions: RowCheck
}

/** Erased records of an account that are back because an older backup was restored. */
export interface ReturnedRecords {
  handle: string
  count: number
}

/** Devices of an account that could not be derived again after records of theirs were removed. */
export interface UnderivedDevices {
  handle: string
  count: number
  reason: string
}

/** A destination that is paused or fails, or has deliveries that failed. */
export interface AilingDestination {
  handle: string
  name: string
  kind: DestinationKind
  pause: { reason: PauseReason; at: number } | null
  /** Since when nothing but failure, epoch milliseconds; `null`: its latest attempt succeeded. */
  failingSince: number | null
  waiting: number
  failed: number
}

/** A database opened read-only. Every method may throw if the database is damaged. */
export interface DatabaseInspector {
  file: string
  /** `null`: it has none yet. */
  boxId(): string | null
  bytes(): number
  logBytes(): number
  /** The result of SQLite's check of all pages, and of whether its JSON is still JSON; `null`: no fault. */
  damage(): string | null
  /** Migrations applied and known to this program; `fault`: why the program cannot use the schema. */
  schema(): { applied: number; known: number; fault: string | null }
  /** Why the sealed secrets cannot all be opened; `null`: they can, or there are none. */
  sealFault(): Diagnosis | null
  /** Reads the last lines of the audit log. */
  auditChain(linesMax: number): ChainCheck
  /** Compares every row of the ledger with its checksum. */
  checkLedger(): Promise<LedgerCheck>
  contents(): Iterable<string>
  publishedAs: PublishedAs
  /** Records that could not be stored since the instant, most first. */
  lostRecords(since: number): LostRecords[]
  backlog(): ProcessingReport
  unfinishedRemovals(): UnfinishedRemoval[]
  ailingDestinations(): AilingDestination[]
  /** Handles of accounts that have mail to send: leads, reports or replies. */
  mailingAccounts(): string[]
  returnedRecords(): ReturnedRecords[]
  underivedDevices(): UnderivedDevices[]
  recordsReceivedAfter(at: number): { count: number; latestAt: number | null }
  retention: RetentionKeeper
  accounts: AccountStore
  certificates: CertificateStore
  connectedDomains(): { host: string; handle: string }[]
  holdsAccounts(): boolean
  close(): void
}
