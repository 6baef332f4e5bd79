import { basename, join } from 'node:path'
import { snapshotsIn } from '../storage/filesystem/data-folder.ts'
import { openConnection, openReader } from '../storage/sqlite/connection.ts'
import { schemaState } from '../storage/sqlite/migrations.ts'
import { putBack } from '../storage/sqlite/put-back.ts'
import { writeVerifiedCopy } from '../storage/sqlite/verified-copy.ts'
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

/** Writes a consistent, verified copy of the box's database, which may be in use. @throws when it cannot */
export function copyDatabase(databaseFile: string, copy: string): void {
  // A connection for reading alone may not write another file either.
  const connection = openConnection(databaseFile)
  try {
    writeVerifiedCopy(connection, copy)
  } finally {
    connection.raw.close()
  }
}

/**
 * Undoes a migration after which nothing was captured, by its snapshot. To be called by the holder of `serve.lock`.
 *
 * @returns where the migrated database stays
 */
export function undoMigration(dataDir: string, snapshot: string): string {
  const aside = join(dataDir, 'snapshots', basename(snapshot).replace(/^before-/, 'after-'))
  putBack(join(dataDir, 'capture.db'), snapshot, aside)
  return aside
}
