import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../../lib/operator-error.ts'
import { isHeld, takeFolderLock } from '../../lock/folder-lock.ts'
import type { Connection } from './connection.ts'
import { writeVerifiedCopy } from './verified-copy.ts'

interface MigrationOptions {
  connection: Connection
  /** Where a database with data is copied to before it is changed. */
  snapshotDir: string
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

interface Migration {
  /** SHA-256 of its file, by which the database remembers it. */
  hash: string
  createdAt: number
  statements: string[]
}

interface Journal {
  entries: { tag: string; when: number }[]
}

/**
 * This program's steps in order, as drizzle-kit wrote them. They are read and recorded as Drizzle's own migrator does,
 * which would load `node:crypto` in every command.
 */
export function readMigrations(): Migration[] {
  const folder = migrationsFolder()
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return { hash: Bun.SHA256.hash(text, 'hex'), createdAt: when, statements: text.split('--> statement-breakpoint') }
  })
}

/** Applies missing steps in one transaction; steps applied by another process meanwhile are not missing. */
export function applyMigrations({ raw }: Connection, migrations: Migration[]): void {
  raw
    .transaction(() => {
      raw.run(
        'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
      )
      const found = raw.query<{ applied: number }, []>('SELECT count(*) AS applied FROM __drizzle_migrations').get()
      for (const { hash, createdAt, statements } of migrations.slice(found?.applied)) {
        for (const statement of statements) raw.run(statement)
        raw.run('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', [hash, createdAt])
      }
      // Of a node: its links are of one schema, and the other nodes go on from a base of the new one.
      raw.run(`UPDATE cluster_position SET unlinkable = 'changed'`)
    })
    .immediate()
}

/** The folder of SQL files: inside the executable, or the repository's when run from source. */
const migrationsFolder = (): string =>
  Bun.isStandaloneExecutable ? join(import.meta.dir, 'drizzle') : join(import.meta.dir, '../../../../drizzle')

const snapshotsKept = 2
const mark = 'before-migration-'
const unfinishedEnd = '.unfinished'

const lockName = 'migration'
const waitMsMax = 10 * 60_000
const pauseMs = 100

/**
 * Runs the work while no other process migrates the same database: a second command waits, so that there is one
 * snapshot, and none is deleted while it is being written.
 *
 * @throws OperatorError when that takes too long
 */
function inTurn<T>(snapshotDir: string, work: () => T): T {
  mkdirSync(snapshotDir, { recursive: true, mode: 0o700 })
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const lock = takeFolderLock(snapshotDir, lockName, 'a migration')
    if (isHeld(lock)) {
      try {
        return work()
      } finally {
        // Whoever waits for the deleted files, or creates new ones, finds the work done.
        for (const end of ['.lock', '.holder.json']) rmSync(join(snapshotDir, lockName + end), { force: true })
        lock.release()
      }
    }
    if (waitedMs >= waitMsMax) {
      throw new OperatorError(
        `Process ${lock.pid} has been bringing the database up to this version since ${lock.since}. Run the command again when it is done.`,
      )
    }
    Bun.sleepSync(pauseMs)
  }
}

/** Writes the database as it is, and deletes older snapshots and remains of killed migrations. Call only in turn. */
function takeSnapshot(connection: Connection, snapshotDir: string, now: number): string {
  for (const name of readdirSync(snapshotDir)) {
    if (name.endsWith(unfinishedEnd)) rmSync(join(snapshotDir, name), { force: true })
  }
  const name = `${mark}${new Date(now).toISOString().replaceAll(':', '').replace('.', '')}.db`
  const file = join(snapshotDir, name)
  writeVerifiedCopy(connection, file)
  const snapshots = readdirSync(snapshotDir).filter((entry) => entry.startsWith(mark) && entry.endsWith('.db'))
  for (const entry of snapshots.sort().slice(0, -snapshotsKept)) rmSync(join(snapshotDir, entry))
  return file
}
