import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AccountStore } from '../../account/account-store.ts'
import type { Config } from '../../config/config.ts'
import { addressText } from '../../config/values.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { folderGone, folderGoneAdvice, otherBoxNotice } from '../../operations/data-folder/other-box.ts'
import { boxesMovedAside, databaseFile, isDatabaseMade, snapshotsIn } from '../../storage/filesystem/data-folder.ts'
import { awaitsJoined } from '../../storage/filesystem/joined-folder.ts'
import { noteConfiguration, otherBoxes, type Whereabouts } from '../../storage/filesystem/other-boxes.ts'
import { type FolderLock, isHeld, type LockHolder, takeFolderLock } from '../../storage/lock/folder-lock.ts'
import type { Session } from '../session.ts'
import { actAsDataOwner, processUser, shellLine, typedCommandLine } from './data-owner.ts'

const folderMode = 0o700
/** Removes all permissions of group and others from created files. */
const ownerOnly = 0o077

/**
 * Becomes the owner of the data folder, and creates the folder on the first run.
 *
 * @param mustExist the command needs an existing box: a missing one probably means the wrong folder
 * @throws OperatorError with advice when the folder cannot be used
 */
export function prepareDataFolder(
  { dataDir, cluster }: Pick<Config, 'dataDir' | 'cluster'>,
  session: Session,
  mustExist: boolean,
): void {
  actAsDataOwner({ dataDir, user: processUser(), typed: typedCommandLine(session) })
  refuseLostDatabase(databaseFile(dataDir), dataDir)
  if (mustExist && !(isFolderThere(dataDir) && isDatabaseMade(databaseFile(dataDir))))
    throw new NoBoxYet(dataDir, cluster === null ? newBox : newNode)
  // An existing folder may be open to others, but new files in it are not.
  process.umask(ownerOnly)
  makeFolder(dataDir)
}

/** @throws OperatorError when something else is in its place. */
function isFolderThere(dataDir: string): boolean {
  const isThere = existsSync(dataDir)
  if (!isThere || statSync(dataDir).isDirectory()) return isThere
  throw new OperatorError(`The data folder ${dataDir} is not a folder. Set data_dir.`)
}

function makeFolder(dataDir: string): void {
  if (isFolderThere(dataDir)) return
  try {
    mkdirSync(dataDir, { recursive: true, mode: folderMode })
    chmodSync(dataDir, folderMode)
  } catch (error) {
    throw new OperatorError(`The data folder ${dataDir} cannot be created: ${(error as Error).message}. Set data_dir.`)
  }
}

/**
 * A used data folder has an asset store, which is created after the database. If the store exists without the database, data was
 * lost, and a new box would hide that.
 *
 * @throws OperatorError that says what to do
 */
function refuseLostDatabase(file: string, dataDir: string): void {
  refuseMissingFolder(dataDir)
  // Check in this order: during another command's first start, the database appears before the store.
  if (!existsSync(join(dataDir, 'assets', 'tmp')) || isDatabaseMade(file) || awaitsJoined(dataDir)) return
  const what = existsSync(file) ? 'is empty' : 'is gone'
  throw new OperatorError(
    `The database ${file} ${what}, though the data folder held a box. If its volume is mounted correctly, restore the latest backup: capture restore FILE. To begin with a new box, move ${dataDir} aside first.`,
  )
}

/** A restore that was killed between its two renames leaves no data folder. */
function refuseMissingFolder(dataDir: string): void {
  if (existsSync(dataDir)) return
  const [aside] = boxesMovedAside(dataDir)
  if (aside !== undefined) throw new OperatorError(`${folderGone(dataDir)} ${folderGoneAdvice(dataDir, aside)}`)
}

const newBox = '`capture apply DIR` or `capture serve` makes it'
const newNode = '`capture cluster join` fills it from the cluster, and `capture serve` begins one where there is none'

/** A command that needs an existing box found none: it was probably run in the wrong folder. */
export class NoBoxYet extends OperatorError {
  constructor(
    readonly dataDir: string,
    advice: string,
  ) {
    super(
      `There is no box in the data folder ${dataDir} yet: ${advice}. If yours is elsewhere, run the command in the folder with its capture.toml, or name the file with --config.`,
    )
  }
}

/**
 * Advice for a database that a later version has changed: run that version, or go back with the given command.
 *
 * @param isUsable whether this program can use a database
 */
export async function wayBack(dataDir: string, session: Session, isUsable: (file: string) => boolean): Promise<string> {
  const snapshot = snapshotsIn(dataDir).findLast(isUsable)
  if (snapshot === undefined) return 'Run the version that wrote it: this version can use none of the snapshots.'
  return `Run that version, or restore the snapshot from before the upgrade; records captured since stay in the folder that is moved aside: ${await restoreLine(snapshot, dataDir, session)}`
}

/** The command, with the same --config as this one. */
async function restoreLine(snapshot: string, dataDir: string, { argv, env, loadConfig }: Session): Promise<string> {
  const { config, file } = await loadConfig()
  const isNamed = argv.some((word) => word === '--config' || word.startsWith('--config='))
  const options = isNamed && file !== null ? ['--config', file] : []
  // The demo has a folder of its own.
  const environment = config.dataDir === dataDir ? env : { ...env, CAPTURE_DATA_DIR: dataDir }
  return shellLine(typedCommandLine({ argv: ['restore', snapshot, ...options], env: environment }))
}

/**
 * Call it before filling a box or serving from it. Warns if the configuration probably names the wrong folder, and records the
 * configuration in the folder, so that the next misspelling is noticed.
 */
export async function noticeOtherBox(
  accounts: Pick<AccountStore, 'list'>,
  where: Whereabouts,
  warn: (message: string) => void,
): Promise<void> {
  const notice = await otherBoxNotice(accounts, { ...where, otherBoxes: () => otherBoxes(where) })
  if (notice !== null) warn(notice)
  noteConfiguration(where)
}

/** A command that looks for a service holds the lock for a moment, as does a service that is ending. */
const momentMs = 2000
const pollMs = 10

/**
 * Locks the data folder for this server.
 *
 * @param msMax how long another process may still hold it, in milliseconds
 * @throws OperatorError that names the process that has it
 */
export async function lockForServing({ dataDir, server, https }: Config, msMax = momentMs): Promise<FolderLock> {
  const doing = `capture serve on ${addressText(server.listen ?? https.listen)}`
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const lock = takeFolderLock(dataDir, 'serve', doing)
    if (isHeld(lock)) return lock
    if (waitedMs >= msMax) throw inUse(dataDir, lock)
    await Bun.sleep(pollMs)
  }
}

const inUse = (dataDir: string, { pid, doing, since }: LockHolder): OperatorError =>
  new OperatorError(
    `The data folder ${dataDir} is in use by process ${pid} (${doing}, since ${since}). Stop that process first, or set another data_dir.`,
  )

/** For a command that is about to migrate the database. @throws OperatorError when a server runs on the folder */
export function assertNoServer(dataDir: string): void {
  const lock = takeFolderLock(dataDir, 'serve', 'a migration')
  if (isHeld(lock)) {
    lock.release()
    return
  }
  throw new OperatorError(
    `The database has to be migrated to this version of capture, but an older one is running (process ${lock.pid}: ${lock.doing}). Stop it first; start it again with this version.`,
  )
}
