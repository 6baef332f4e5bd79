import { basename, join } from 'node:path'
import { type Connection, openConnection, openReader } from '../database/connection.ts'
import { schemaState } from '../database/migrations.ts'
import { writePassingCopy, writeVerifiedCopy } from '../database/verified-copy.ts'
import { type DatabaseCopier, SqliteBackupSource } from './backup-source.ts'
import { putBack } from './put-back.ts'

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

/** Writes a consistent, verified copy of the box's database, which may be in use. @throws if it cannot */
export const copyDatabase = (databaseFile: string, copy: string): void =>
  copying(databaseFile, (connection) => writeVerifiedCopy(connection, copy))

/** Like `copyDatabase`, for a copy that is read and then removed. */
export const copyDatabaseInPassing = (databaseFile: string, copy: string): void =>
  copying(databaseFile, (connection) => writePassingCopy(connection, copy))

function copying(databaseFile: string, copy: (connection: Connection) => void): void {
  // A connection for reading alone may not write another file either.
  const connection = openConnection(databaseFile)
  try {
    copy(connection)
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
