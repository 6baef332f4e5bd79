import type { ConsoleStores } from '../../console/console-box.ts'
import type { Clock } from '../../lib/clock.ts'
import type { BackupPorts, MovingPorts } from '../../operations/backup/backup-ports.ts'
import type { Box } from '../../operations/box.ts'
import { SqliteDomainClaims } from './account/domain-claims.ts'
import { boxIdOf } from './account/revision.ts'
import type { Connections } from './capturing-ports.ts'
import { SqliteDeliveryControl } from './delivery/delivery-control.ts'
import { DatabaseFile } from './forgetting/database-file.ts'
import { SqliteRetentionKeeper } from './forgetting/retention-state.ts'
import { SqliteCertificateStore } from './https/certificate-store.ts'
import { SqlitePersonReader } from './persons/person-reader.ts'
import { SqliteQuarantine } from './processing/quarantine.ts'
import { SqliteFactReader } from './report/fact-reader.ts'
import { SqliteFigureReader } from './report/figure-reader.ts'
import { SqliteOverviewReader } from './report/overview-reader.ts'
import { SqliteSubmissionReader } from './report/submission-reader.ts'
import { SqliteHarmCounts } from './site/harm-counts.ts'
import { SqlitePublicationLog } from './site/publication-log.ts'
import { SqliteKeptFolders } from './site/site-staging.ts'
import { SqliteSiteStore } from './site/site-store.ts'
import { SqliteProcessing } from './steps/processing.ts'

/** What operations need of a database in addition to capturing. */
interface OperatingPorts
  extends Pick<
    Box,
    | 'domainClaims'
    | 'sites'
    | 'folders'
    | 'publications'
    | 'harmCounts'
    | 'processing'
    | 'facts'
    | 'persons'
    | 'submissions'
    | 'quarantine'
    | 'figures'
    | 'overview'
    | 'retention'
    | 'certificates'
    | 'deliveries'
    | 'erasure'
    | 'rejudging'
  > {
  /** Loaded on demand. */
  copyTo(): Promise<BackupPorts['copyTo']>
  /** Loaded on demand. */
  accountMoves(): Promise<Pick<MovingPorts, 'copyAccount' | 'arrival'>>
  /** Loaded on demand. */
  consoleStores(): Promise<ConsoleStores>
  /** The box's own id. */
  boxId(): string
}

interface OperatingOptions {
  /** The database. */
  file: string
  dataDir: string
  clock: Clock
  /** Whether a service runs on the data folder. */
  isServed: () => boolean
}

/** To be closed before the connections. */
export function operatingPorts(
  { database, reader }: Connections,
  { file, dataDir, clock, isServed }: OperatingOptions,
): { ports: OperatingPorts; close(): void } {
  const databaseFile = new DatabaseFile(file)
  const submissions = new SqliteSubmissionReader(reader)
  const processing = new SqliteProcessing(database, clock, isServed)
  return {
    ports: {
      domainClaims: new SqliteDomainClaims(database, clock),
      sites: new SqliteSiteStore(database, dataDir),
      folders: new SqliteKeptFolders(reader),
      publications: new SqlitePublicationLog(database, reader),
      harmCounts: new SqliteHarmCounts(reader),
      processing,
      facts: new SqliteFactReader(reader),
      persons: new SqlitePersonReader(reader),
      submissions,
      quarantine: new SqliteQuarantine(database, submissions),
      figures: new SqliteFigureReader(reader),
      overview: new SqliteOverviewReader(reader),
      retention: new SqliteRetentionKeeper(database, clock.now),
      certificates: new SqliteCertificateStore(database),
      deliveries: new SqliteDeliveryControl(database, reader),
      async erasure() {
        const { SqliteErasure } = await import('./forgetting/erasure.ts')
        return new SqliteErasure(database, databaseFile, clock, processing)
      },
      async rejudging() {
        const { SqliteClickRejudging } = await import('./processing/click-rejudging.ts')
        return new SqliteClickRejudging(database, clock)
      },
      async copyTo() {
        const { copyDatabase } = await import('./backup/database-copies.ts')
        return (copy) => copyDatabase(database, copy)
      },
      async accountMoves() {
        const { copyAccount } = await import('./moving/account-extract.ts')
        const { openArrival } = await import('./moving/account-arrival.ts')
        return {
          copyAccount: (accountId, since, copy) =>
            copyAccount(copy, { database: file, accountId, since, now: clock.now() }),
          arrival: (folder) => openArrival(file, folder, clock),
        }
      },
      async consoleStores() {
        const { sqliteConsoleStores } = await import('./console/console-stores.ts')
        return sqliteConsoleStores(database)
      },
      boxId: () => boxIdOf(database),
    },
    close: () => databaseFile.close(),
  }
}
