import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { folderGone, folderGoneAdvice } from '../../operations/data-folder/other-box.ts'
import { boxesMovedAside, databaseFile, isDatabaseMade } from '../../storage/filesystem/data-folder.ts'
import type { Session } from '../session.ts'
import { actAsDataOwner, processUser, typedCommandLine } from './data-owner.ts'

const folderMode = 0o700
/** Removes all permissions of group and others from created files. */
const ownerOnly = 0o077

/**
 * Becomes the owner of the data folder, and creates the folder on the first run.
 *
 * @param mustExist the command needs an existing box: a missing one probably means the wrong folder
 * @throws OperatorError with advice when the folder cannot be used
 */
export function prepareDataFolder(dataDir: string, session: Session, mustExist: boolean): void {
  actAsDataOwner({ dataDir, user: processUser(), typed: typedCommandLine(session) })
  refuseLostDatabase(databaseFile(dataDir), dataDir)
  if (mustExist && !(isFolderThere(dataDir) && isDatabaseMade(databaseFile(dataDir)))) throw new NoBoxYet(dataDir)
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
  if (!existsSync(join(dataDir, 'assets', 'tmp')) || isDatabaseMade(file)) return
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

/** A command that needs an existing box found none: it was probably run in the wrong folder. */
export class NoBoxYet extends OperatorError {
  constructor(readonly dataDir: string) {
    super(
      `There is no box in the data folder ${dataDir} yet: \`capture apply DIR\` or \`capture serve\` makes it. If yours is elsewhere, run the command in the folder with its capture.toml, or name the file with --config.`,
    )
  }
}
