import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { LoadedConfig } from '../config/load.ts'
import { readKernelSetting } from '../lib/kernel-setting.ts'
import type { RestorePorts, RestoreRights } from '../operations/backup/restore-ports.ts'
import type { Box } from '../operations/box.ts'
import type { Diagnosis } from '../operations/diagnosis.ts'
import type { Inspection } from '../operations/doctor/inspection.ts'
import { CertificateFolder } from '../storage/filesystem/certificate-folder.ts'
import { boxesMovedAside, databaseFile, snapshotsIn } from '../storage/filesystem/data-folder.ts'
import { readProxyNote } from '../storage/filesystem/proxy-note.ts'
import { seemsHeld } from '../storage/lock/folder-lock.ts'
import { SqliteFigureReader } from '../storage/sqlite/figure-reader.ts'
import { SqliteFindings } from '../storage/sqlite/findings.ts'
import { DatabaseFile } from '../storage/sqlite/forgetting/database-file.ts'
import { SqliteRetentionKeeper } from '../storage/sqlite/forgetting/retention-keeper.ts'
import { SqliteCertificateStore } from '../storage/sqlite/https/certificate-store.ts'
import { SqlitePersonReader } from '../storage/sqlite/persons/person-reader.ts'
import { SqliteProcessing } from '../storage/sqlite/processing/processing.ts'
import { SqliteQuarantine } from '../storage/sqlite/quarantine.ts'
import { SqliteSiteStore } from '../storage/sqlite/site-store.ts'
import { SqliteSubmissionReader } from '../storage/sqlite/submission-reader.ts'
import { type CapturingBox, databaseName, type OpenOptions, openCapturing } from './open-capturing.ts'
import type { Session } from './session.ts'
import { wayBack } from './snapshots.ts'

/** The opened data folder with every port. A service needs less, and is spared the memory of the rest. */
export interface CommandBox extends CapturingBox, Box {}

/**
 * Opens the data folder for a command, making it on the first run.
 *
 * @throws OperatorError when the folder cannot be used, with what to do about it.
 */
export async function openBox(config: Config, session: Session, options: OpenOptions = {}): Promise<CommandBox> {
  const { clock } = session
  const box = await openCapturing(config, session, options)
  const { dataDir, database, reader } = box
  const file = new DatabaseFile(join(dataDir, databaseName))
  const submissions = new SqliteSubmissionReader(reader)
  const processing = new SqliteProcessing(database, clock, () => seemsHeld(dataDir, 'serve'))
  return {
    ...box,
    config,
    clock,
    sites: new SqliteSiteStore(database, dataDir),
    processing,
    findings: new SqliteFindings(reader),
    persons: new SqlitePersonReader(reader),
    submissions,
    quarantine: new SqliteQuarantine(database, submissions),
    figures: new SqliteFigureReader(reader),
    retention: new SqliteRetentionKeeper(database, clock.now),
    certificates: new SqliteCertificateStore(database),
    certificateFiles: new CertificateFolder(config.https.folder),
    isServed: () => seemsHeld(dataDir, 'serve'),
    async erasure() {
      const { SqliteErasure } = await import('../storage/sqlite/forgetting/erasure.ts')
      return new SqliteErasure(database, file, clock, processing)
    },
    async rejudging() {
      const { SqliteClickRejudging } = await import('../storage/sqlite/processing/click-rejudging.ts')
      return new SqliteClickRejudging(database, clock)
    },
    async backups() {
      const { backupArchive } = await import('../storage/archive/backup-archive.ts')
      const { outFiles } = await import('../storage/filesystem/out-file.ts')
      const { SqliteDatabaseCopies } = await import('../storage/sqlite/database-copies.ts')
      return { outFiles: outFiles(dataDir), copies: new SqliteDatabaseCopies(database), archive: backupArchive }
    },
    proxyNote: () => readProxyNote(dataDir),
    earlierDatabases: () => ({ snapshots: snapshotsIn(dataDir), movedAside: boxesMovedAside(dataDir) }),
    close: async () => {
      await box.close()
      file.close()
    },
  }
}

/** What a restore works with: it needs no opened box, and may have none. */
export async function restorePorts(rights: RestoreRights): Promise<RestorePorts> {
  const { backupReading } = await import('../storage/archive/backup-archive.ts')
  const { restoreFolders } = await import('../storage/filesystem/restore-folders.ts')
  const { restoredDatabases } = await import('../storage/sqlite/restored-databases.ts')
  return { folders: restoreFolders, databases: restoredDatabases, archive: backupReading, rights }
}

/** For a look at a box that may be absent, damaged or of another version. */
export async function inspectionOf({ config, file, warnings }: LoadedConfig, session: Session): Promise<Inspection> {
  const { inspectFolder } = await import('../storage/filesystem/folder-inspector.ts')
  const { FileRefusalReserve } = await import('../storage/filesystem/refusal-reserve.ts')
  const { inspectDatabase } = await import('../storage/sqlite/database-inspector.ts')
  const { dataDir } = config
  const { clock, cwd } = session
  const reserve = new FileRefusalReserve(dataDir)
  const database = databaseFile(dataDir)
  return {
    config,
    clock,
    configFile: file,
    configWarnings: warnings,
    folder: inspectFolder({ dataDir, configFile: file, cwd }),
    openDatabase: () =>
      existsSync(database) ? inspectDatabase(database, { clock, heldRefusals: () => reserve.held() }) : null,
    wayBack: () => wayBack(dataDir, session),
    kernelSetting: readKernelSetting,
    proxyNote: () => readProxyNote(dataDir),
    isServed: () => seemsHeld(dataDir, 'serve'),
    certificateFiles: new CertificateFolder(config.https.folder),
  }
}

/** What is wrong with the database on which a command failed; `null`: nothing. */
export async function databaseFaultOf(
  { dataDir }: Config,
  { clock }: Pick<Session, 'clock'>,
): Promise<Diagnosis | null> {
  const { databaseFault } = await import('../operations/database/database-fault.ts')
  const { inspectDatabase } = await import('../storage/sqlite/database-inspector.ts')
  const file = databaseFile(dataDir)
  return databaseFault(file, () => inspectDatabase(file, { clock, heldRefusals: () => [] }))
}
