import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AccountStore } from '../account/account-store.ts'
import type { SigningKeyStore } from '../account/signing-key.ts'
import type { AssetStore } from '../asset/asset-store.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import type { ChallengeStore } from '../capture/challenge-store.ts'
import type { RefusalLog } from '../capture/refusal-log.ts'
import type { Config } from '../config/config.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { openAssetStore } from '../storage/filesystem/asset-store.ts'
import { SqliteAccountStore } from '../storage/sqlite/account-store.ts'
import { SqliteCatalogue } from '../storage/sqlite/catalogue.ts'
import { SqliteChallengeStore } from '../storage/sqlite/challenge-store.ts'
import { type Connection, openConnection, openReader } from '../storage/sqlite/connection.ts'
import { isHeld, takeFolderLock } from '../storage/sqlite/folder-lock.ts'
import { GroupCommit } from '../storage/sqlite/group-commit.ts'
import { InlineCommitter } from '../storage/sqlite/inline-committer.ts'
import { SqliteLedger } from '../storage/sqlite/ledger.ts'
import { type Migrated, migrateDatabase, UnknownSchema } from '../storage/sqlite/migrations.ts'
import { SqliteRefusalLog } from '../storage/sqlite/refusal-log.ts'
import { SqliteSigningKeyStore } from '../storage/sqlite/signing-key-store.ts'
import { WorkerCommitter } from '../storage/sqlite/worker-committer.ts'
import type { ProcessingNotice } from '../storage/sqlite/worker-messages.ts'
import { actAsDataOwner, processUser, typedCommandLine } from './data-owner.ts'
import { isDamage } from './disk-fault.ts'
import { isDatabaseMade, refuseLostDatabase } from './lost-database.ts'
import { NoBoxYet } from './no-box-yet.ts'
import type { Session } from './session.ts'
import { wayBack } from './snapshots.ts'

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
  /** The database itself, for backup, restore and doctor. */
  database: Connection
  /** The same, for reading alone. */
  reader: Connection
  /** Waits for what is being written, then closes everything. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** `thread`: a thread of its own writes the ledger, as a server needs it. */
  writer?: 'inline' | 'thread'
  /** The command works on what is there: a box that was never made is a fault, and most likely the wrong folder. */
  mustExist?: boolean
  /** Told of every commit that failed. */
  onCommitFailure?: (error: unknown) => void
  /** Told what an operator should hear of processing on the writing thread, as often as it happens. */
  onProcessingNotice?: (notice: ProcessingNotice) => void
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
  const { clock } = session
  actAsDataOwner({ dataDir, user: processUser(), typed: typedCommandLine(session) })
  const file = join(dataDir, databaseName)
  refuseLostDatabase(file, dataDir)
  if (options.mustExist) assertMade(file, dataDir)
  // A folder that was there before may be open to others: what is made in it is not.
  process.umask(ownerOnly)
  makeFolder(dataDir)
  const database = openDatabase(file)
  const { snapshot } = await bringUpToDate(database, dataDir, session)
  if (snapshot !== null) options.onSnapshot?.(snapshot)

  const reader = openReader(file)
  const committer =
    options.writer === 'thread'
      ? new WorkerCommitter(ledgerWorkerFile(), file, options.onProcessingNotice ?? (() => {}))
      : new InlineCommitter(file, clock)
  const groupCommit = new GroupCommit(committer, clock, options.onCommitFailure ?? (() => {}))
  return {
    dataDir,
    accounts: new SqliteAccountStore(database, clock),
    signingKeys: await SqliteSigningKeyStore.open(database, clock),
    catalogue: new SqliteCatalogue(reader),
    ledger: new SqliteLedger(reader, groupCommit),
    refusals: new SqliteRefusalLog(reader, groupCommit),
    challenges: new SqliteChallengeStore(groupCommit),
    assets: await openAssetStore(join(dataDir, 'assets')),
    database,
    reader,
    close: async () => {
      await groupCommit.close()
      reader.raw.close()
      database.raw.close()
    },
  }
}

/** The writing thread's entry point: named from the root of the sources inside the executable, beside this file outside. */
function ledgerWorkerFile(): string | URL {
  return Bun.isStandaloneExecutable ? './cli/ledger-worker.ts' : new URL('./ledger-worker.ts', import.meta.url)
}

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

function openDatabase(file: string): Connection {
  try {
    return openConnection(file)
  } catch (error) {
    if (error instanceof OperatorError || isDamage(error)) throw error
    throw new OperatorError(
      `The database ${file} cannot be opened: ${(error as Error).message}. Is the disk full or read-only, or the file not ours?`,
    )
  }
}

/** @throws OperatorError that names the way back, when a later version has changed the database */
async function bringUpToDate(connection: Connection, dataDir: string, session: Session): Promise<Migrated> {
  try {
    const snapshotDir = join(dataDir, 'snapshots')
    return migrateDatabase({
      connection,
      snapshotDir,
      now: session.clock.now(),
      assertAlone: () => assertNoServer(dataDir),
    })
  } catch (error) {
    connection.raw.close()
    if (!(error instanceof UnknownSchema)) throw error
    throw new OperatorError(`${error.message} ${await wayBack(dataDir, session)}`)
  }
}

function assertNoServer(dataDir: string): void {
  const lock = takeFolderLock(dataDir, 'serve', 'a migration')
  if (isHeld(lock)) {
    lock.release()
    return
  }
  throw new OperatorError(
    `The database has to be brought up to this version of capture, and an older one is running (process ${lock.pid}: ${lock.doing}). Stop it first; start it again with this version.`,
  )
}
