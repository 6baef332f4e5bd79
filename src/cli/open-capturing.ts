import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AccountStore } from '../account/account-store.ts'
import type { SigningKeyStore } from '../account/signing-key.ts'
import type { AssetStore } from '../asset/asset-store.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import type { ChallengeStore } from '../capture/challenge-store.ts'
import type { RefusalLog } from '../capture/refusal-log.ts'
import { ReservedRefusalLog } from '../capture/refusal-reserve.ts'
import type { Config } from '../config/config.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { openAssetStore } from '../storage/filesystem/asset-store.ts'
import { isDatabaseMade } from '../storage/filesystem/data-folder.ts'
import { FileRefusalReserve } from '../storage/filesystem/refusal-reserve.ts'
import type { FolderLock } from '../storage/lock/folder-lock.ts'
import { SqliteAccountStore } from '../storage/sqlite/account-store.ts'
import { SqliteCatalogue } from '../storage/sqlite/catalogue.ts'
import { SqliteChallengeStore } from '../storage/sqlite/challenge-store.ts'
import { CommitFigures } from '../storage/sqlite/commit-figures.ts'
import { type Connection, openReader } from '../storage/sqlite/connection.ts'
import { type CommitNotices, GroupCommit } from '../storage/sqlite/group-commit.ts'
import { StoredPairs } from '../storage/sqlite/https/stored-pairs.ts'
import { InlineCommitter } from '../storage/sqlite/inline-committer.ts'
import { latestEntryIds } from '../storage/sqlite/latest-entry-ids.ts'
import { SqliteLedger } from '../storage/sqlite/ledger.ts'
import { SqliteRefusalLog } from '../storage/sqlite/refusal-log.ts'
import { SqliteSigningKeyStore } from '../storage/sqlite/signing-key-store.ts'
import { WorkerCommitter } from '../storage/sqlite/worker-committer.ts'
import type { ThreadNotice } from '../storage/sqlite/worker-messages.ts'
import { emptyBatch } from '../storage/sqlite/write-batch.ts'
import { actAsDataOwner, processUser, typedCommandLine } from './data-owner.ts'
import { refuseLostDatabase } from './lost-database.ts'
import { NoBoxYet } from './no-box-yet.ts'
import { bringUpToDate, openDatabase } from './open-database.ts'
import { lockForServing } from './serve-lock.ts'
import type { Session } from './session.ts'

/** The opened data folder, as far as capturing needs it: every port, wired to the one backend there is today. */
export interface CapturingBox {
  dataDir: string
  accounts: AccountStore
  signingKeys: SigningKeyStore
  catalogue: Catalogue
  ledger: Ledger
  refusals: RefusalLog
  challenges: ChallengeStore
  assets: AssetStore
  /** Commits a change that changes nothing, as a record is committed. Rejects within 5 s when records cannot be stored. */
  probeCommit(): Promise<void>
  /** The database itself, for backup, restore and doctor. */
  database: Connection
  /** The same, for reading alone. */
  reader: Connection
  /** What the writing thread commits; a command counts nothing here. */
  commits: CommitFigures
  /** Waits for what is being written, then closes everything. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** `thread`: a thread of its own writes the ledger, as a server needs it; the folder is locked for this one server. */
  writer?: 'inline' | 'thread'
  /** The command works on what is there: a box that was never made is a fault, and most likely the wrong folder. */
  mustExist?: boolean
  /** The folder's lock for its one server, where it is held already. */
  lock?: FolderLock | undefined
  /** Told when commits fail, and when they succeed again. */
  commitNotices?: CommitNotices
  /** Told what an operator should hear of the writing thread and of processing, as often as it happens. */
  onThreadNotice?: (notice: ThreadNotice) => void
  /** Told before a database of so many bytes is migrated. */
  onMigration?: (databaseBytes: number) => void
  /** Told of the snapshot that was written before the database was migrated. */
  onSnapshot?: (file: string) => void
}

export const databaseName = 'capture.db'
const folderMode = 0o700
/** What group and others may do with what is made: nothing. */
const ownerOnly = 0o077

/**
 * Opens the data folder, making it on the first run, as its owner, with the database at this program's schema.
 *
 * @throws OperatorError when the folder cannot be used, with what to do about it.
 */
export async function openCapturing(
  config: Config,
  session: Session,
  options: OpenOptions = {},
): Promise<CapturingBox> {
  const { dataDir } = config
  actAsDataOwner({ dataDir, user: processUser(), typed: typedCommandLine(session) })
  const file = join(dataDir, databaseName)
  refuseLostDatabase(file, dataDir)
  if (options.mustExist) assertMade(file, dataDir)
  // A folder that was there before may be open to others: what is made in it is not.
  process.umask(ownerOnly)
  makeFolder(dataDir)
  if (options.writer !== 'thread') return openFolder(config, session, options)
  // Before anything that a second server would do beside the first: migrate, make signing keys, process.
  const lock = options.lock ?? lockForServing(config)
  try {
    const box = await openFolder(config, session, { ...options, lock })
    return { ...box, close: () => box.close().finally(() => lock.release()) }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openFolder({ dataDir }: Config, session: Session, options: OpenOptions): Promise<CapturingBox> {
  const { clock } = session
  const file = join(dataDir, databaseName)
  const database = openDatabase(file)
  const { snapshot } = await bringUpToDate(database, session, {
    dataDir,
    isAlone: options.lock !== undefined,
    onBegin: () => options.onMigration?.(statSync(file).size),
  })
  if (snapshot !== null) options.onSnapshot?.(snapshot)

  const reader = openReader(file)
  const commits = new CommitFigures()
  const committer =
    options.writer === 'thread'
      ? new WorkerCommitter({
          workerFile: ledgerWorkerFile(),
          databaseFile: file,
          figures: commits,
          latestEntryIds: (count) => latestEntryIds(reader, count),
          onNotice: options.onThreadNotice ?? (() => {}),
        })
      : new InlineCommitter(file, clock)
  const groupCommit = new GroupCommit(committer, clock, options.commitNotices)
  const reserve = new FileRefusalReserve(dataDir)
  if (options.writer === 'thread') reserve.makeRoom()
  return {
    dataDir,
    accounts: new SqliteAccountStore(database, clock),
    signingKeys: await SqliteSigningKeyStore.open(database, clock),
    catalogue: new SqliteCatalogue(reader),
    ledger: new SqliteLedger(reader, groupCommit),
    refusals: new ReservedRefusalLog(new SqliteRefusalLog(reader, groupCommit), reserve),
    challenges: new SqliteChallengeStore(groupCommit),
    assets: await openAssetStore(join(dataDir, 'assets')),
    probeCommit: async () => void (await committer.commit(emptyBatch)),
    database,
    reader,
    commits,
    close: async () => {
      await groupCommit.close()
      reader.raw.close()
      database.raw.close()
    },
  }
}

/** The writing thread's entry point: inside the executable it is named from the root of the sources. */
function ledgerWorkerFile(): string | URL {
  if (Bun.isStandaloneExecutable) return './storage/sqlite/ledger-worker.ts'
  return new URL('../storage/sqlite/ledger-worker.ts', import.meta.url)
}

/** The entry point of the thread that keeps certificates. */
export function keeperWorkerFile(): string | URL {
  if (Bun.isStandaloneExecutable) return './storage/sqlite/https/keeper-worker.ts'
  return new URL('../storage/sqlite/https/keeper-worker.ts', import.meta.url)
}

/** The certificates that are kept in a data folder, which may be another process's still. */
export const openStoredPairs = ({ dataDir }: Config): StoredPairs => new StoredPairs(join(dataDir, databaseName))

function assertMade(file: string, dataDir: string): void {
  if (isFolderThere(dataDir) && isDatabaseMade(file)) return
  throw new NoBoxYet(dataDir)
}

/** @throws OperatorError when something else is in its place. */
function isFolderThere(dataDir: string): boolean {
  const isThere = existsSync(dataDir)
  if (!isThere || statSync(dataDir).isDirectory()) return isThere
  throw new OperatorError(`The data folder ${dataDir} is no folder. Set data_dir.`)
}

function makeFolder(dataDir: string): void {
  if (isFolderThere(dataDir)) return
  try {
    mkdirSync(dataDir, { recursive: true, mode: folderMode })
    chmodSync(dataDir, folderMode)
  } catch (error) {
    throw new OperatorError(`The data folder ${dataDir} cannot be made: ${(error as Error).message}. Set data_dir.`)
  }
}
