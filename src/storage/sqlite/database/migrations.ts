import { OperatorError } from '../../../lib/operator-error.ts'
import type { Connection } from './connection.ts'
import { applyMigrations, readMigrations } from './migration-files.ts'
import { inTurn, takeSnapshot } from './migration-snapshot.ts'

export interface MigrationOptions {
  connection: Connection
  /** Where a database with data is copied to before it is changed. */
  snapshotDir: string
  /** Epoch milliseconds, for the snapshot's name. */
  now: number
  /** Throws if somebody else has the database open, which must not change under them. */
  assertAlone: () => void
  /** Called before a database with data is changed. That may take minutes, during which nothing else runs. */
  onBegin?: (() => void) | undefined
}

/** The database has steps unknown to this program. Whoever opens it adds the way back. */
export class UnknownSchema extends OperatorError {}

/**
 * Brings the database to this program's schema, all steps in one transaction, after a verified snapshot if it holds
 * data (docs/backup-and-restore.md).
 *
 * @returns the snapshot; `null`: there was nothing to do, or no data to lose
 * @throws UnknownSchema if a newer program wrote the database; OperatorError if somebody else has it open
 */
export function migrateDatabase(options: MigrationOptions): string | null {
  const { connection, snapshotDir, now } = options
  const migrations = readMigrations()
  const { applied, known, fault } = stateOf(connection, migrations)
  if (fault !== null) throw new UnknownSchema(fault)
  if (applied === known) return null
  if (applied === 0) {
    applyMigrations(connection, migrations)
    return null
  }
  return inTurn(snapshotDir, () => {
    // Another command may have migrated it meanwhile.
    if (appliedMigrations(connection).length === known) return null
    options.assertAlone()
    options.onBegin?.()
    const snapshot = takeSnapshot(connection, snapshotDir, now)
    applyMigrations(connection, migrations)
    return snapshot
  })
}

interface SchemaState {
  applied: number
  /** To this program. */
  known: number
  /** Why this program cannot use the database; `null`: it can. */
  fault: string | null
}

/** How many steps of the schema a database has. */
export const schemaState = (connection: Connection): SchemaState => stateOf(connection, readMigrations())

function stateOf(connection: Connection, migrations: readonly { hash: string }[]): SchemaState {
  const known = migrations.map(({ hash }) => hash)
  const applied = appliedMigrations(connection)
  return { applied: applied.length, known: known.length, fault: newerFault(applied, known) }
}

function appliedMigrations({ raw }: Connection): string[] {
  const table = raw.query(`SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'`).get()
  if (!table) return []
  return raw
    .query<{ hash: string }, []>('SELECT hash FROM __drizzle_migrations ORDER BY created_at')
    .all()
    .map((row) => row.hash)
}

function newerFault(applied: string[], known: string[]): string | null {
  if (applied.every((hash, index) => known[index] === hash)) return null
  return applied.length > known.length
    ? `The database was written by a newer version of capture (${applied.length} schema steps; this program knows ${known.length}).`
    : 'The database was written by a different build of capture: its schema steps are not those of this program.'
}
