import { snapshotsIn } from '../../storage/filesystem/data-folder.ts'
import type { Session } from '../session.ts'
import { shellLine, typedCommandLine } from './data-owner.ts'

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
