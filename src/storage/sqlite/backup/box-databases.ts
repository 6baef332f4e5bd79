import { Database } from 'bun:sqlite'
import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { syncPathNow } from '../../disk/synced.ts'
import { type Connection, openConnection, openReader } from '../database/connection.ts'
import { schemaState } from '../database/migrations.ts'
import { writePassingCopy, writeVerifiedCopy } from '../database/verified-copy.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { foreignTo, leaveCluster } from '../lookup/marks.ts'
import { type DatabaseCopier, SqliteBackupSource } from './backup-source.ts'

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

/** @throws Error with the fault, when the program cannot run on the database */
export function assertOurs(connection: Connection): void {
  const { applied, fault } = schemaState(connection)
  if (applied === 0) throw new Error('is not from Capture')
  if (fault !== null) throw new Error(`cannot be used. ${fault} Restore it with that version`)
  // Before anything is written: in a forged file, it would run as part of our statements.
  const foreign = foreignTo(connection.raw)
  if (foreign !== null) throw new Error(`is not from Capture: it contains "${foreign}"`)
  writeTransaction(connection, () => leaveCluster(connection.raw))
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

/**
 * Replaces a database that nobody has open by a snapshot, atomically: after an interruption, one of the two is there
 * whole.
 *
 * @param aside where the present database is kept
 * @throws if somebody has the database open or the copy cannot be written; then nothing has changed
 */
function putBack(file: string, snapshot: string, aside: string): void {
  const unfinished = `${file}.unfinished`
  try {
    copyFileSync(snapshot, unfinished)
    syncPathNow(unfinished)
    takeInLog(file)
    rmSync(aside, { force: true })
    linkSync(file, aside)
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** The log belongs to the old database: SQLite would read what is left in it as the snapshot's. */
function takeInLog(file: string): void {
  const raw = new Database(file, { readwrite: true, create: false, strict: true })
  try {
    const { busy } = raw.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? { busy: 1 }
    if (busy !== 0) throw new Error(`${file} is in use`)
  } finally {
    raw.close()
  }
}
