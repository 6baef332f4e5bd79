import { snapshotsIn } from '../../storage/filesystem/data-folder.ts'
import type { Session } from '../session.ts'
import { shellLine, typedCommandLine } from './data-owner.ts'

/**
 * What to do about a database that a later version has changed: run that one, or go back by the very line to type.
 *
 * @param isUsable whether this program can use a database
 */
export async function wayBack(dataDir: string, session: Session, isUsable: (file: string) => boolean): Promise<string> {
  const snapshot = snapshotsIn(dataDir).findLast(isUsable)
  if (snapshot === undefined) return 'Run the version that wrote it: there is no snapshot here that this one can use.'
  return `Run that version, or restore the snapshot of before the upgrade; what was captured since stays behind, in the folder that is moved aside: ${await restoreLine(snapshot, dataDir, session)}`
}

/** With the configuration that this command was given. */
async function restoreLine(snapshot: string, dataDir: string, { argv, env, loadConfig }: Session): Promise<string> {
  const { config, file } = await loadConfig()
  const isNamed = argv.some((word) => word === '--config' || word.startsWith('--config='))
  const options = isNamed && file !== null ? ['--config', file] : []
  // The demo has a folder of its own.
  const environment = config.dataDir === dataDir ? env : { ...env, CAPTURE_DATA_DIR: dataDir }
  return shellLine(typedCommandLine({ argv: ['restore', snapshot, ...options], env: environment }))
}
