import { Database, SQLiteError } from 'bun:sqlite'
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite'
import { OperatorError } from '../../../lib/operator-error.ts'

/** A connection whose pragmas are all set and read back, with Drizzle on top. */
export interface Connection {
  raw: Database
  db: BunSQLiteDatabase
}

/** Earlier versions of SQLite can lose committed writes in WAL mode (the WAL-reset bug, fixed in 3.51.3). */
const sqliteVersionMin = [3, 51, 3] as const

/**
 * How long a statement waits for another process's write, in milliseconds. No command holds the lock longer than 20 ms
 * (docs/architecture.md); the rest is room for a slow disk.
 */
const writerBusyTimeoutMs = 5000
/** Between two attempts to open a database that another process is opening. */
const retryMs = 5
/** In WAL mode, readers only wait for a recovery after a crash. */
const readerBusyTimeoutMs = 1000

/** Bytes the write-ahead log keeps on disk after a checkpoint: small, so that the whole box fits a volume of 12 MB. */
const journalBytesMax = 2560 * 1024
/** Pages of 4 KB in the log before a commit also checkpoints. */
const checkpointPages = 500

interface ConnectionOptions {
  /** `false`: a power failure may take back the latest commits, but leaves no torn data. */
  durable?: boolean
}

/**
 * Opens the database for reading and writing, creating the file if needed.
 *
 * SQLite's defaults are unsafe for this use (rollback journal, no waiting, no foreign keys, trusted schema), and
 * pragmas belong to a connection, not to the file, so each is set here and asserted.
 */
export function openConnection(path: string, { durable = true }: ConnectionOptions = {}): Connection {
  const raw = new Database(path, { create: true, readwrite: true, strict: true })
  waitingForOthers(() => assertSqliteVersion(raw))
  setPragmas(raw, [
    ['busy_timeout', writerBusyTimeoutMs, 'timeout'],
    ['journal_mode', 'wal'],
    ['synchronous', durable ? 2 : 1],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['secure_delete', 1],
    // What a REPLACE removes is marked too, in a cluster (lookup/marks.ts).
    ['recursive_triggers', 1],
    ['journal_size_limit', journalBytesMax],
    ['wal_autocheckpoint', checkpointPages],
    ['temp_store', 2],
    ['cache_size', -8192],
  ])
  return { raw, db: drizzle(raw) }
}

/** Opens the existing database read-only. */
export function openReader(path: string): Connection {
  const raw = new Database(path, { readwrite: true, create: false, strict: true })
  setPragmas(raw, [
    ['busy_timeout', readerBusyTimeoutMs, 'timeout'],
    ['trusted_schema', 0],
    ['query_only', 1],
    ['temp_store', 2],
    ['cache_size', -4096],
  ])
  return { raw, db: drizzle(raw) }
}

type Pragma = [name: string, value: number | string, column?: string]

function setPragmas(raw: Database, pragmas: Pragma[]): void {
  for (const pragma of pragmas) waitingForOthers(() => setPragma(raw, pragma))
}

function setPragma(raw: Database, [name, value, column = name]: Pragma): void {
  raw.run(`PRAGMA ${name} = ${value}`)
  const row = raw.query<Record<string, number | string>, []>(`PRAGMA ${name}`).get()
  if (row?.[column] !== value) {
    throw new OperatorError(
      `The database refuses "PRAGMA ${name} = ${value}" (it says ${row?.[column]}). Is the data folder on a file system without shared memory, such as a network share? Move data_dir to a local disk.`,
    )
  }
}

/**
 * Tries again while another process has the file to itself. Where two processes that open a new database would wait for
 * each other, SQLite refuses at once.
 */
function waitingForOthers(open: () => void): void {
  for (let tries = 1; ; tries++) {
    try {
      open()
      return
    } catch (error) {
      const isBusy = error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')
      if (!isBusy || tries * retryMs >= writerBusyTimeoutMs) throw error
    }
    Bun.sleepSync(retryMs)
  }
}

function assertSqliteVersion(raw: Database): void {
  const row = raw.query<{ version: string }, []>('SELECT sqlite_version() AS version').get()
  const parts = (row?.version ?? '0').split('.').map(Number)
  for (const [index, least] of sqliteVersionMin.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least) {
      throw new OperatorError(
        `SQLite ${row?.version} can lose committed writes; this program needs ${sqliteVersionMin.join('.')} or later. Run the released executable, or build with the pinned Bun.`,
      )
    }
  }
}
