import type { AccountStore } from '../account/account-store.ts'
import type { DestinationKind } from '../account/destination.ts'
import type { SigningKeyStore } from '../account/signing-key.ts'
import type { AssetStore } from '../asset/asset-store.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import type { RefusalLog } from '../capture/refusal-log.ts'
import type { Config } from '../config/config.ts'
import type { Carrier } from '../delivery/carrier.ts'
import type { DeliveryDesk } from '../delivery/delivery-desk.ts'
import type { UrlJudgement } from '../delivery/judge-url.ts'
import type { CertificateStore } from '../https/certificate-store.ts'
import type { CertificateSource } from '../https/certificates.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import type { ClickRejudging } from '../processing/clicks/click-rejudging.ts'
import type { Erasure } from '../processing/erasure.ts'
import type { Processing } from '../processing/processing.ts'
import type { RetentionKeeper } from '../processing/retention-keeper.ts'
import type { Quarantine } from '../processing/submissions/quarantine.ts'
import type { FactReader } from '../report/entry-facts.ts'
import type { FigureReader } from '../report/figures-reader.ts'
import type { PersonReader } from '../report/person-reader.ts'
import type { SubmissionReader } from '../report/submission-reader.ts'
import type { SiteStore } from '../site/site-store.ts'
import type { BackupPorts } from './backup/backup-ports.ts'
import type { UntrustedProxy } from './refusals/proxy-note.ts'

/** An opened box: every port that operations work with. An operation names those it needs. */
export interface Box {
  config: Config
  clock: Clock
  accounts: AccountStore
  signingKeys: SigningKeyStore
  catalogue: Catalogue
  assets: AssetStore
  sites: SiteStore
  ledger: Ledger
  refusals: RefusalLog
  processing: Processing
  facts: FactReader
  persons: PersonReader
  submissions: SubmissionReader
  quarantine: Quarantine
  figures: FigureReader
  retention: RetentionKeeper
  certificates: CertificateStore
  deliveries: DeliveryDesk
  /** What `[https] folder` holds. */
  certificateFiles: CertificateSource
  /** Whether a service seems to run on this data folder. */
  isServed(): boolean
  /** Loaded when it is asked for: few operations do, and these two are a third of what there is to load. */
  erasure(): Promise<Erasure>
  rejudging(): Promise<ClickRejudging>
  /** Every way to reach a destination. Loaded when it is asked for. */
  carriers(): Promise<Readonly<Record<DestinationKind, Carrier>>>
  /** Whether something may be sent to an address. Looks up its name. */
  judgeUrl(url: string): Promise<UrlJudgement>
  /** Loaded when it is asked for. */
  backups(): Promise<BackupPorts>
  /** What a running server noted of a proxy that it did not trust; `null`: nothing. */
  proxyNote(): Promise<UntrustedProxy | null>
  /** Looked up when it is asked for. */
  earlierDatabases(): EarlierDatabases
}

/** Databases of the box as they were, which lie on this machine and no erasure reaches. */
export interface EarlierDatabases {
  /** Files that upgrades have left, oldest first. */
  snapshots: string[]
  /** Folders that restores have moved aside, latest first. */
  movedAside: string[]
}
