import type { AccountStore, Revision } from '../account/account-store.ts'
import type { DestinationKind } from '../account/destination.ts'
import type { DomainClaims } from '../account/domain-claims.ts'
import type { SigningKeyStore } from '../account/signing-key.ts'
import type { AssetStore } from '../asset/asset-store.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import type { OpenedTarget } from '../backup/target/backup-target.ts'
import type { TargetState } from '../backup/target-state.ts'
import type { MissingLog } from '../capture/missing-log.ts'
import type { RefusalLog } from '../capture/refusal-log.ts'
import type { Config } from '../config/config.ts'
import type { Carrier } from '../delivery/carrier.ts'
import type { DeliveryControl } from '../delivery/delivery-control.ts'
import type { CertificateStore } from '../https/certificate-store.ts'
import type { CertificateSource } from '../https/certificates.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { VisitorFiles } from '../ledger/visitor-files.ts'
import type { Clock } from '../lib/clock.ts'
import type { UrlJudgement } from '../outbound/guard.ts'
import type { Erasure } from '../processing/erasure.ts'
import type { ClickRejudging, Processing, Quarantine } from '../processing/processing.ts'
import type { RetentionKeeper } from '../processing/retention.ts'
import type { FactReader } from '../report/entry-facts.ts'
import type { FigureReader } from '../report/figures-reader.ts'
import type { PersonReader } from '../report/person-reader.ts'
import type { SubmissionReader } from '../report/submission-reader.ts'
import type { HarmCounts } from '../site/harm-counts.ts'
import type { KeptFolders } from '../site/kept-folder.ts'
import type { PublicationLog } from '../site/publication-log.ts'
import type { SiteStore } from '../site/site-store.ts'
import type { AlertState } from './alert/alert-news.ts'
import type { BackupPorts, MovingPorts } from './backup/backup-ports.ts'
import type { ClusterStatus } from './cluster/cluster-status.ts'
import type { OverviewReader } from './overview/overview-reader.ts'
import type { UploadFolders } from './upload/upload-folder.ts'

/** A running server's note that an untrusted proxy forwards visitors to it (docs/behind-a-proxy.md). */
export interface UntrustedProxy {
  peer: string
  /** ISO 8601. */
  seenAt: string
}

/** The nodes of a cluster, as the service that runs here knows them. */
export interface ClusterNodes {
  /** What the service has seen last; `null`: none runs, or it has seen nothing yet. */
  status(): Promise<ClusterStatus | null>
  /** Names of the nodes that lack something of what this box holds now, after 10 s at most; `null`: that is not known. */
  lacking(): Promise<string[] | null>
}

/** An opened box with every port of the operations. Each operation picks those it needs. */
export interface Box {
  config: Config
  clock: Clock
  accounts: AccountStore
  domainClaims: DomainClaims
  signingKeys: SigningKeyStore
  catalogue: Catalogue
  assets: AssetStore
  sites: SiteStore
  folders: KeptFolders
  publications: PublicationLog
  harmCounts: HarmCounts
  uploads: UploadFolders
  ledger: Ledger
  visitorFiles: VisitorFiles
  refusals: RefusalLog
  missing: MissingLog
  processing: Processing
  facts: FactReader
  persons: PersonReader
  submissions: SubmissionReader
  quarantine: Quarantine
  figures: FigureReader
  overview: OverviewReader
  retention: RetentionKeeper
  certificates: CertificateStore
  deliveries: DeliveryControl
  /** The certificates in `[https] folder`. */
  certificateFiles: CertificateSource
  /** On the disk of the data folder. */
  freeMegabytes(): Promise<number>
  /** Whether a service appears to run on this data folder. */
  isServed(): boolean
  /** The revision that visitors of the running service see; `null`: none seems to run. */
  adoptedRevision(): Revision | null
  /** Loaded on demand: few operations need erasure and backups, which are a third of the code. */
  erasure(): Promise<Erasure>
  rejudging(): Promise<ClickRejudging>
  /** Every way to reach a destination. Loaded when it is asked for. */
  carriers(): Promise<Readonly<Record<DestinationKind, Carrier>>>
  /** Whether something may be sent to an address. Looks up its name. */
  judgeUrl(url: string): Promise<UrlJudgement>
  backups(): Promise<BackupPorts>
  /** Where backups go, in the order of `[backup] to`. */
  targets(): Promise<readonly OpenedTarget[]>
  /** What the data folder knows of a target. */
  targetState(url: string): TargetState
  /** Accounts that come from another box, or go to one. */
  moving(): Promise<MovingPorts>
  /** `null`: a single box. */
  cluster: ClusterNodes | null
  /** What alerts have said, and how they fail. */
  alertState(): AlertState
  /** The running server's note about an untrusted proxy; `null`: none. */
  proxyNote(): Promise<UntrustedProxy | null>
  earlierDatabases(): EarlierDatabases
}

/** Earlier databases of the box on this machine, which an erasure does not reach. */
export interface EarlierDatabases {
  /** Snapshots written by upgrades, oldest first. */
  snapshots: string[]
  /** Folders that restores moved aside, latest first. */
  movedAside: string[]
}
