import { OperatorError } from '../../../lib/operator-error.ts'
import type { Connection } from './connection.ts'
import { applyMigrations, readMigrations } from './migration-files.ts'
import { inTurn, takeSnapshot } from './migration-snapshot.ts'

export interface MigrationOptions {
  connection: Connection
  /** Where the snapshot of a database that holds data is written before it is changed. */
  snapshotDir: string
  /** Epoch milliseconds, for the snapshot's name. */
  now: number
  /** Throws when somebody else has the database open, so that it must not change under them. */
  assertAlone: () => void
  /** Told before a database that holds data is changed, which may take minutes during which nothing else runs. */
  onBegin?: (() => void) | undefined
}

/** What `migrateDatabase` did. */
export interface Migrated {
  /** Migrations applied; 0 when the database was up to date. */
  applied: number
  /** The snapshot written before; `null` when there was nothing to lose. */
  snapshot: string | null
}

/** The database has steps that this program does not know. Whoever opens it adds the way back. */
export class UnknownSchema extends OperatorError {}

/**
 * Brings the database to this program's schema, all steps in one transaction, after a verified snapshot when it
 * holds data (contract section 6).
 *
 * @throws UnknownSchema when the database was written by a newer program; OperatorError when somebody else has it open
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
    // Another command may have done it while this one waited.
    const missing = known.length - appliedMigrations(connection).length
    if (missing === 0) return { applied: 0, snapshot: null }
    options.assertAlone()
    options.onBegin?.()
    const snapshot = takeSnapshot(connection, snapshotDir, now)
    applyMigrations(connection, known)
    return { applied: missing, snapshot }
  })
}

/** How far a database is, for `doctor` and `restore`: steps applied, steps this program knows, and why it cannot use it. */
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
