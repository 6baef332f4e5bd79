import { join } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { isDamage } from '../operations/database/disk-fault.ts'
import { type Connection, openConnection } from '../storage/sqlite/connection.ts'
import { type Migrated, migrateDatabase, UnknownSchema } from '../storage/sqlite/migrations.ts'
import { assertNoServer } from './serve-lock.ts'
import type { Session } from './session.ts'
import { wayBack } from './snapshots.ts'

/** @throws OperatorError that says what may be the matter */
export function openDatabase(file: string): Connection {
  try {
    return openConnection(file)
  } catch (error) {
    if (error instanceof OperatorError || isDamage(error)) throw error
    throw new OperatorError(
      `The database ${file} cannot be opened: ${(error as Error).message}. Is the disk full or read-only, or the file not ours?`,
    )
  }
}

/** @throws OperatorError that names the way back, when a later version has changed the database */
export async function bringUpToDate(
  connection: Connection,
  session: Session,
  { dataDir, isAlone, onBegin }: { dataDir: string; isAlone: boolean; onBegin?: (() => void) | undefined },
): Promise<Migrated> {
  try {
    const snapshotDir = join(dataDir, 'snapshots')
    return migrateDatabase({
      connection,
      snapshotDir,
      now: session.clock.now(),
      assertAlone: () => {
        if (!isAlone) assertNoServer(dataDir)
      },
      onBegin,
    })
  } catch (error) {
    connection.raw.close()
    if (!(error instanceof UnknownSchema)) throw error
    throw new OperatorError(`${error.message} ${await wayBack(dataDir, session)}`)
  }
}
