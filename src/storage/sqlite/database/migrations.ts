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

/** What `migrateDatabase` did. */
export interface Migrated {
  /** Migrations applied; 0: the database was up to date. */
  applied: number
  /** The snapshot written before; `null`: there was no data to lose. */
  snapshot: string | null
}

/** The database has steps unknown to this program. Whoever opens it adds the way back. */
export class UnknownSchema extends OperatorError {}

/**
 * Brings the database to this program's schema, all steps in one transaction, after a verified snapshot if it holds
 * data (contract section 6).
 *
 * @throws UnknownSchema if a newer program wrote the database; OperatorError if somebody else has it open
 */
export function migrateDatabase(options: MigrationOptions): Migrated {
  const known = readMigrations()
  const applied = appliedMigrations(options.connection)
  refuseNewer(
    applied,
    known.map((migration) => migration.hash),
  )
  const { connection, snapshotDir, now } = options
  if (applied.length === known.length) return { applied: 0, snapshot: null }
  if (applied.length === 0) {
    applyMigrations(connection, known)
    return { applied: known.length, snapshot: null }
  }
  return inTurn(snapshotDir, () => {
    // Another command may have migrated it meanwhile.
    const missing = known.length - appliedMigrations(connection).length
    if (missing === 0) return { applied: 0, snapshot: null }
    options.assertAlone()
    options.onBegin?.()
    const snapshot = takeSnapshot(connection, snapshotDir, now)
    applyMigrations(connection, known)
    return { applied: missing, snapshot }
  })
}

/**
 * The state of a database for `doctor` and `restore`: steps applied, steps known to this program, and why it cannot use
 * the database.
 */
export function schemaState(connection: Connection): { applied: number; known: number; fault: string | null } {
  const known = readMigrations().map((migration) => migration.hash)
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

function refuseNewer(applied: string[], known: string[]): void {
  const fault = newerFault(applied, known)
  if (fault !== null) throw new UnknownSchema(fault)
}

function newerFault(applied: string[], known: string[]): string | null {
  if (applied.every((hash, index) => known[index] === hash)) return null
  return applied.length > known.length
    ? `The database was written by a newer version of capture (${applied.length} schema steps; this program knows ${known.length}).`
    : 'The database was written by a different build of capture: its schema steps are not those of this program.'
}
