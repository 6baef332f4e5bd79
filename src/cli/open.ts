import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ReservedRefusalLog } from '../capture/refusal-reserve.ts'
import type { ClusterConfig } from '../config/cluster.ts'
import type { Config } from '../config/config.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { ConsoleStores } from '../console/console-box.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { asOneUser, type RestorePorts, type RestoreRights } from '../operations/backup/backup-ports.ts'
import type { Box } from '../operations/box.ts'
import type { Diagnosis } from '../operations/check-result.ts'
import type { JoinPorts } from '../operations/cluster/join.ts'
import type { LeavePorts } from '../operations/cluster/leave.ts'
import type { RepairPorts } from '../operations/database/repair.ts'
import type { Inspection } from '../operations/doctor/inspection.ts'
import { openAssetStore } from '../storage/filesystem/asset-store.ts'
import { CertificateFolder } from '../storage/filesystem/certificate-folder.ts'
import { boxesMovedAside, databaseFile, snapshotsIn } from '../storage/filesystem/data-folder.ts'
import { adoptedRevision, alertNote, readProxyNote } from '../storage/filesystem/folder-notes.ts'
import { freeMegabytes } from '../storage/filesystem/free-space.ts'
import { astrayDatabases, placeJoined } from '../storage/filesystem/joined-folder.ts'
import { FileRefusalReserve } from '../storage/filesystem/refusal-reserve.ts'
import { FileTargetStates } from '../storage/filesystem/target-states.ts'
import { uploadFolders } from '../storage/filesystem/upload-folders.ts'
import { type FolderLock, seemsHeld } from '../storage/lock/folder-lock.ts'
import {
  type CapturingOptions,
  type CapturingPorts,
  type OpenedCapturing,
  openCapturingPorts,
} from '../storage/sqlite/capturing-ports.ts'
import { StoredPairs } from '../storage/sqlite/https/certificate-store.ts'
import { zipTools } from '../storage/zip/zip-tools.ts'
import { type ClusterChanges, clusterChanges } from './cluster/cluster-changes.ts'
import { clusterNodes } from './cluster/cluster-nodes.ts'
import { type OpenedAssets, openAssets } from './data-folder/open-assets.ts'
import { assertNoServer, lockForServing, prepareDataFolder, wayBack } from './data-folder/prepare.ts'
import { deliveryPorts } from './delivery/delivery-ports.ts'
import { stalledThreads, withPortsInUse } from './serve/control-socket.ts'
import type { Session } from './session.ts'
import { workerFile } from './threads/worker-file.ts'

/** The opened data folder with the ports for capturing, wired to the only present backend. */
export interface CapturingBox extends CapturingPorts, Pick<OpenedAssets, 'assets' | 'openUploads'> {
  dataDir: string
  /** Waits for pending writes, then closes everything. */
  close(): Promise<void>
}

/** The opened data folder with every port. A service opens fewer, to save memory. */
export interface CommandBox extends Box, Pick<CapturingBox, 'dataDir' | 'close'> {
  /** What the console keeps; loaded when it is asked for. */
  consoleStores(): Promise<ConsoleStores>
  boxId(): string
  /** `null`: a single box. */
  changes: ClusterChanges | null
}

interface OpenOptions
  extends Partial<
    Pick<CapturingOptions, 'version' | 'commitNotices' | 'onThreadNotice' | 'onMigration' | 'onSnapshot'>
  > {
  /** `thread`: a separate thread writes the ledger, and the folder is locked for this server. */
  writer?: 'inline' | 'thread'
  /** Whether a missing box is an error, because it probably means the wrong folder. */
  mustExist?: boolean
  /** The folder's lock for its only server, if this process already has it. */
  lock?: FolderLock | undefined
  /** Of a service. */
  log?: Log
}

/**
 * Opens the data folder as its owner, creates it on the first run, and migrates the database to this program's schema.
 *
 * @throws OperatorError with advice when the folder cannot be used
 */
export async function openCapturing(
  config: Config,
  session: Session,
  options: OpenOptions = {},
): Promise<CapturingBox> {
  const { box, close } = await openFolder(config, session, options)
  return { ...box, close }
}

/** The same with the additional ports of commands. */
export async function openBox(config: Config, session: Session, options: OpenOptions = {}): Promise<CommandBox> {
  const { clock } = session
  const { box, opened, close } = await openFolder(config, session, options)
  const known = await withPortsInUse(config)
  const { operatingPorts } = await import('../storage/sqlite/operating-ports.ts')
  const { dataDir } = config
  const isServed = (): boolean => seemsHeld(dataDir, 'serve')
  const operating = operatingPorts(opened.connections, { file: databaseFile(dataDir), dataDir, clock, isServed })
  return {
    ...box,
    ...operating.ports,
    config: known,
    clock,
    isServed,
    changes: config.cluster && clusterChanges(dataDir),
    cluster: config.cluster && clusterNodes(dataDir),
    certificateFiles: new CertificateFolder(config.https.folder),
    ...deliveryPorts(config, clock),
    async backups() {
      const { outFiles } = await import('../storage/filesystem/out-file.ts')
      return { outFiles: outFiles(dataDir), copyTo: await operating.ports.copyTo() }
    },
    moving: async () => ({ dataDir, ...(await restorePorts(clock)), ...(await operating.ports.accountMoves()) }),
    ...folderPorts(config),
    close: async () => {
      await close()
      operating.close()
    },
  }
}

interface OpenedFolder {
  box: Omit<CapturingBox, 'close'>
  opened: OpenedCapturing
  close(): Promise<void>
}

async function openFolder(config: Config, session: Session, options: OpenOptions): Promise<OpenedFolder> {
  const { dataDir } = config
  const { writer = 'inline', mustExist = false } = options
  // A box that a command made could not join any more.
  prepareDataFolder(config, session, mustExist || (config.cluster !== null && writer === 'inline'))
  // Lock before anything that a second server must not do: migrate, make signing keys, process.
  const lock = options.lock ?? (writer === 'thread' ? await lockForServing(config) : undefined)
  const release = (): void => lock?.release()
  let opened: OpenedCapturing | null = null
  try {
    if (writer === 'thread') placeJoined(dataDir)
    opened = await openDatabase(config, session, { ...options, writer, lock })
    const reserve = new FileRefusalReserve(dataDir)
    if (writer === 'thread') reserve.makeRoom()
    const refusals = new ReservedRefusalLog(opened.ports.refusals, reserve)
    const { settled, ...contents } = await openAssets(config)
    const { ports, close } = opened
    const closed = () => settled().finally(close).finally(release)
    return { box: { ...ports, refusals, dataDir, ...contents }, opened, close: closed }
  } catch (error) {
    // A process that cannot take over stays for some seconds beside the one that serves again.
    await opened?.close().catch(() => {})
    release()
    throw error
  }
}

async function openDatabase(
  { dataDir, cluster }: Config,
  session: Session,
  { lock, writer, log, ...options }: OpenOptions,
): Promise<OpenedCapturing> {
  const { clock } = session
  const serves = writer === 'thread'
  const committer = cluster === null || log === undefined ? null : await nodeCommitter(cluster, { dataDir, clock, log })
  return openCapturingPorts({
    ...(committer !== null && { committer }),
    // Only services, which process in a thread, say theirs.
    version: '',
    onThreadNotice: () => {},
    onMigration: () => {},
    onSnapshot: () => {},
    ...options,
    writerFile: serves ? workerFile('ledger') : null,
    file: databaseFile(dataDir),
    snapshotDir: join(dataDir, 'snapshots'),
    clock,
    now: clock.now(),
    assertAlone: () => {
      if (lock === undefined) assertNoServer(dataDir)
    },
    wayBack: async () => wayBack(dataDir, session, (await boxDatabases()).isUsableDatabase),
  })
}

async function nodeCommitter(cluster: ClusterConfig, parts: { dataDir: string; clock: Clock; log: Log }) {
  // A single box loads none of it.
  const node = await import('./cluster/node-committer.ts')
  return node.nodeCommitter(cluster, parts)
}

/** The ports of a restore, which needs no opened box. */
export async function restorePorts(clock: Clock, rights = asOneUser): Promise<RestorePorts> {
  const { restoreFolders } = await import('../storage/filesystem/restore-folders.ts')
  const { restoredDatabases } = await import('../storage/sqlite/backup/restored-databases.ts')
  return { folders: restoreFolders, databases: restoredDatabases(clock), rights }
}

/** What a folder needs to become a follower's. */
export async function followerPorts(): Promise<Pick<JoinPorts, 'schema' | 'makeFollower'>> {
  const { knownSchema } = await import('../storage/sqlite/cluster/joined-database.ts')
  const { askThread } = await import('./threads/one-answer.ts')
  const purpose = 'checks a copy of the leader’s database'
  return {
    schema: knownSchema(),
    makeFollower: (staged) => askThread(workerFile('cluster-join'), databaseFile(staged), { purpose }),
  }
}

/** What a node needs to become a single box. */
export async function leavingPorts(
  { dataDir }: Config,
  clock: Clock,
): Promise<Pick<LeavePorts, 'replica' | 'referenced' | 'makeSingle'> & { close(): void }> {
  const { SqliteReplica } = await import('../storage/sqlite/cluster/sqlite-replica.ts')
  const { openLeaving } = await import('../storage/sqlite/cluster/joined-database.ts')
  const file = databaseFile(dataDir)
  const here = await openAssetStore(join(dataDir, 'assets'))
  const replica = new SqliteReplica({ databaseFile: file, clock, removeContent: (sha256) => here.delete(sha256) })
  const leaving = openLeaving(file)
  return {
    ...{ replica, ...leaving },
    close() {
      leaving.close()
      replica.close()
    },
  }
}

/** The ports of a repair, which opens no box. */
export async function repairPorts(rights: RestoreRights): Promise<RepairPorts> {
  const { restoreFolders } = await import('../storage/filesystem/restore-folders.ts')
  const { beginRepair } = await import('../storage/filesystem/staged-folder.ts')
  const { repairDatabase } = await import('../storage/sqlite/repair/repaired-database.ts')
  return {
    rights,
    lock: (dataDir) => restoreFolders.lock(dataDir, ['serve', 'publish']),
    begin: beginRepair,
    repairDatabase: (dataDir, staged, keepsChanged) => {
      const snapshotDir = join(staged, 'snapshots')
      return repairDatabase({ from: databaseFile(dataDir), to: databaseFile(staged), snapshotDir, keepsChanged })
    },
  }
}

/** Read-only access to a box that may be absent, damaged or of another version. */
export async function inspectionOf({ config, file, warnings }: LoadedConfig, session: Session): Promise<Inspection> {
  const { inspectFolder } = await import('../storage/filesystem/folder-inspector.ts')
  const { inspectDatabase } = await import('../storage/sqlite/inspection/database-inspector.ts')
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
    cluster: await clusterInspectionOf(config, clock),
    openDatabase: () =>
      existsSync(database) ? inspectDatabase(database, { clock, reservedRefusals: () => reserve.counts() }) : null,
    wayBack: async () => wayBack(dataDir, session, (await boxDatabases()).isUsableDatabase),
    stalledThreads: () => stalledThreads(dataDir),
    kernelSetting: readKernelSetting,
    proxyNote: () => readProxyNote(dataDir),
    isServed: () => seemsHeld(dataDir, 'serve'),
    certificateFiles: new CertificateFolder(config.https.folder),
  }
}

async function clusterInspectionOf({ cluster, dataDir }: Config, clock: Clock): Promise<Inspection['cluster']> {
  if (cluster === null) return null
  const { inspectCluster } = await import('./cluster/cluster-inspection.ts')
  return inspectCluster(cluster, dataDir, clock)
}

/** The fault of the database on which a command failed; `null`: none. */
export async function databaseFaultOf(
  { dataDir }: Config,
  { clock }: Pick<Session, 'clock'>,
): Promise<Diagnosis | null> {
  const { databaseFault } = await import('../operations/database/storage-fault.ts')
  const { inspectDatabase } = await import('../storage/sqlite/inspection/database-inspector.ts')
  const file = databaseFile(dataDir)
  return databaseFault(file, () => inspectDatabase(file, { clock, reservedRefusals: () => [] }))
}

/** Databases as files, beside the opened one. */
export const boxDatabases = () => import('../storage/sqlite/backup/box-databases.ts')

/** The certificates stored in a data folder, which another process may still be using. */
export const openStoredPairs = ({ dataDir }: Config): StoredPairs => new StoredPairs(databaseFile(dataDir))

/** A kernel setting by its sysctl(8) name; `null`: it does not exist or is not shown. */
async function readKernelSetting(name: string): Promise<string | null> {
  try {
    return (await Bun.file(`/proc/sys/${name.replaceAll('.', '/')}`).text()).trim()
  } catch {
    return null
  }
}

type FolderPorts = Pick<
  Box,
  | 'uploads'
  | 'freeMegabytes'
  | 'adoptedRevision'
  | 'proxyNote'
  | 'earlierDatabases'
  | 'targets'
  | 'targetState'
  | 'alertState'
>

/** What a data folder holds beside the database and the assets, and where it is backed up to. */
const folderPorts = ({ dataDir, backup }: Config): FolderPorts => ({
  uploads: uploadFolders(dataDir, zipTools),
  freeMegabytes: () => freeMegabytes(dataDir),
  adoptedRevision: () => adoptedRevision(dataDir),
  proxyNote: () => readProxyNote(dataDir),
  earlierDatabases: () => ({
    snapshots: snapshotsIn(dataDir),
    movedAside: [...boxesMovedAside(dataDir), ...astrayDatabases(dataDir)],
  }),
  async targets() {
    const { openTargets } = await import('./data-folder/open-target.ts')
    return openTargets(backup)
  },
  targetState: (url) => new FileTargetStates(dataDir).read(url),
  alertState: () => alertNote(dataDir).read(),
})
