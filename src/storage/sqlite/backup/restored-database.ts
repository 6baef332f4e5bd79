import { count } from 'drizzle-orm'
import type { RestoredDatabases } from '../../../operations/backup/restore-ports.ts'
import { readSealKey, sealKeyFile } from '../../disk/seal-key-file.ts'
import { visibleAccount } from '../account/account-store.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { migrateDatabase, schemaState } from '../database/migrations.ts'
import { assertIntact } from '../database/verified-copy.ts'
import { account } from '../schema/account-schema.ts'
import { fits, readProof } from '../seal/box-seal.ts'
import { referencedHashes } from '../site/referenced-hashes.ts'

type Accepting = Parameters<RestoredDatabases['accept']>[1]

const hashPattern = /^[0-9a-f]{64}$/

/**
 * Proves that a database from elsewhere is one that this program can run on, and brings it to its schema.
 *
 * @throws Error with the fault, worded to follow "The database in it …"
 */
export async function acceptDatabase(
  file: string,
  { now, snapshotDir, holds }: Accepting & { snapshotDir: string },
): ReturnType<RestoredDatabases['accept']> {
  try {
    assertIntact(file)
  } catch (error) {
    throw new Error(`is damaged: ${(error as Error).message}`)
  }
  const connection = openConnection(file)
  try {
    assertOurs(connection)
    migrateDatabase({ connection, snapshotDir, now, assertAlone: () => {} })
    assertOpens(connection)
    const accounts = connection.db.select({ n: count() }).from(account).where(visibleAccount).get()?.n ?? 0
    return { accounts, missing: await missingFrom(connection, holds) }
  } finally {
    connection.raw.close()
  }
}

/** @throws Error with the fault, when the key beside the database does not open its secrets */
function assertOpens({ raw }: Connection): void {
  if (readProof(raw) === null) return
  const key = readSealKey(sealKeyFile(raw.filename))
  if (key === null || !fits(raw, key))
    throw new Error(
      'has sealed secrets, and no key for them is with it: put the right `seal.key` into the folder of the file',
    )
}

/** @throws Error with the fault, when the program cannot run on the database */
export function assertOurs(connection: Connection): void {
  const { applied, fault } = schemaState(connection)
  if (applied === 0) throw new Error('is not from Capture')
  if (fault !== null) throw new Error(`cannot be used. ${fault} Restore it with that version`)
  // Ours has neither; in a forged file, they would run as part of our statements.
  const extra = connection.raw
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')`)
    .get()
  if (extra) throw new Error(`is not from Capture: it contains "${extra.name}"`)
}

async function missingFrom(connection: Connection, holds: Accepting['holds']): Promise<number> {
  let missing = 0
  for (const sha256 of referencedHashes(connection)) {
    if (!hashPattern.test(sha256))
      throw new Error('is damaged: it names published bytes by something that is not a checksum')
    if (!(await holds(sha256))) missing++
  }
  return missing
}
