import { basename, join } from 'node:path'
import { openConnection, openReader } from '../database/connection.ts'
import { schemaState } from '../database/migrations.ts'
import { type DatabaseCopier, SqliteBackupSource } from './backup-source.ts'
import { putBack } from './put-back.ts'
import { writeVerifiedCopy } from './verified-copy.ts'

/** Whether this program can use the database, or bring it to its schema. */
export function isUsableDatabase(file: string): boolean {
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

/** Writes a consistent, verified copy of the box's database, which may be in use. @throws when that fails */
export function copyDatabase(databaseFile: string, copy: string): void {
  // A read-only connection cannot write another file either.
  const connection = openConnection(databaseFile)
  try {
    writeVerifiedCopy(connection, copy)
  } finally {
    connection.raw.close()
  }
}

/** The box as backups to targets read it. */
export const openBackupSource = (databaseFile: string, copier: DatabaseCopier): SqliteBackupSource =>
  new SqliteBackupSource(databaseFile, copier)

/**
 * Undoes a migration after which nothing was captured, using its snapshot. Call only as the holder of `serve.lock`.
 *
 * @returns where the migrated database is kept
 */
export function undoMigration(dataDir: string, snapshot: string): string {
  const aside = join(dataDir, 'snapshots', basename(snapshot).replace(/^before-/, 'after-'))
  putBack(join(dataDir, 'capture.db'), snapshot, aside)
  return aside
}
