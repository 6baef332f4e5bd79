import { snapshotsIn } from '../storage/filesystem/data-folder.ts'
import { openReader } from '../storage/sqlite/connection.ts'
import { schemaState } from '../storage/sqlite/migrations.ts'
import { shellLine, typedCommandLine } from './data-owner.ts'
import type { Session } from './session.ts'

/** What to do about a database that a later version has changed: run that one, or go back by the very line to type. */
export async function wayBack(dataDir: string, session: Session): Promise<string> {
  const snapshot = snapshotsIn(dataDir).findLast(isUsable)
  if (snapshot === undefined) return 'Run the version that wrote it: there is no snapshot here that this one can use.'
  return `Run that version, or restore the snapshot of before the upgrade; what was captured since stays behind, in the folder that is moved aside: ${await restoreLine(snapshot, dataDir, session)}`
}

/** By this program. */
function isUsable(file: string): boolean {
  try {
    const reader = openReader(file)
    try {
      const { applied, fault } = schemaState(reader)
      return applied > 0 && fault === null
    } finally {
      reader.raw.close()
    }
  } catch {
    return false
  }
}

/** With the configuration that this command was given. */
async function restoreLine(snapshot: string, dataDir: string, { argv, env, loadConfig }: Session): Promise<string> {
  const { config, file } = await loadConfig()
  const isNamed = argv.some((word) => word === '--config' || word.startsWith('--config='))
  const options = isNamed && file !== null ? ['--config', file] : []
  // The demo has a folder of its own.
  const told = config.dataDir === dataDir ? env : { ...env, CAPTURE_DATA_DIR: dataDir }
  return shellLine(typedCommandLine({ argv: ['restore', snapshot, ...options], env: told }))
}
