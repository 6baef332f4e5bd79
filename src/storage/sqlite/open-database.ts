import { statSync } from 'node:fs'
import { OperatorError } from '../../lib/operator-error.ts'
import { isDatabaseDamage } from '../../operations/database/storage-fault.ts'
import { type Connection, openConnection } from './database/connection.ts'
import { migrateDatabase, UnknownSchema } from './database/migrations.ts'
import { sealOf } from './seal/box-seal.ts'

export interface DatabaseOptions {
  file: string
  /** Where a database with data is copied to before it is changed. */
  snapshotDir: string
  /** Epoch milliseconds. */
  now: number
  /** Throws if somebody else has the database open, which must not change under them. */
  assertAlone: () => void
  /** Called before a database of so many bytes is migrated. */
  onMigration: (databaseBytes: number) => void
  /** Called with the snapshot written before a migration. */
  onSnapshot: (file: string) => void
  /** What to do about a database that a later version has changed. */
  wayBack: () => Promise<string>
}

/** Opens a database and brings it to this program's schema. @throws OperatorError that says what may be wrong */
export async function openDatabase(options: DatabaseOptions): Promise<Connection> {
  const { file, snapshotDir, now, assertAlone, onMigration, onSnapshot } = options
  const connection = opened(file)
  try {
    const onBegin = (): void => onMigration(statSync(file).size)
    const snapshot = migrateDatabase({ connection, snapshotDir, now, assertAlone, onBegin })
    if (snapshot !== null) onSnapshot(snapshot)
    sealOf(connection.raw).assertFits()
    return connection
  } catch (error) {
    connection.raw.close()
    if (!(error instanceof UnknownSchema)) throw error
    throw new OperatorError(`${error.message} ${await options.wayBack()}`)
  }
}

function opened(file: string): Connection {
  try {
    return openConnection(file)
  } catch (error) {
    if (error instanceof OperatorError || isDatabaseDamage(error)) throw error
    throw new OperatorError(
      `The database ${file} cannot be opened: ${(error as Error).message}. Is the disk full or read-only, or is it another program's file?`,
    )
  }
}
