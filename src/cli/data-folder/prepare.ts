import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { OperatorError } from '../../lib/operator-error.ts'
import { databaseFile, isDatabaseMade } from '../../storage/filesystem/data-folder.ts'
import type { Session } from '../session.ts'
import { actAsDataOwner, processUser, typedCommandLine } from './data-owner.ts'
import { refuseLostDatabase } from './lost-database.ts'
import { NoBoxYet } from './no-box-yet.ts'

const folderMode = 0o700
/** What group and others may do with what is made: nothing. */
const ownerOnly = 0o077

/**
 * Acts as the owner of the data folder from now on, and makes the folder on the first run.
 *
 * @param mustExist the command works on what is there: a box that was never made is most likely the wrong folder
 * @throws OperatorError when the folder cannot be used, with what to do about it
 */
export function prepareDataFolder(dataDir: string, session: Session, mustExist: boolean): void {
  actAsDataOwner({ dataDir, user: processUser(), typed: typedCommandLine(session) })
  refuseLostDatabase(databaseFile(dataDir), dataDir)
  if (mustExist && !(isFolderThere(dataDir) && isDatabaseMade(databaseFile(dataDir)))) throw new NoBoxYet(dataDir)
  // A folder that was there before may be open to others: what is made in it is not.
  process.umask(ownerOnly)
  makeFolder(dataDir)
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
