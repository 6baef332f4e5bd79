import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GoalSettings } from '../../../src/account/goal.ts'
import { type Connection, openConnection, openReader } from '../../../src/storage/sqlite/database/connection.ts'
import { applyMigrations, readMigrations } from '../../../src/storage/sqlite/database/migrations.ts'

/** An empty database at the program's schema, made once: property tests open hundreds of them. */
let empty: Uint8Array | null = null

function emptyDatabase(): Uint8Array {
  const dir = mkdtempSync(join(tmpdir(), 'capture-schema-'))
  const file = join(dir, 'capture.db')
  const connection = openConnection(file)
  applyMigrations(connection, readMigrations())
  connection.raw.run('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.raw.close()
  const bytes = readFileSync(file)
  rmSync(dir, { recursive: true })
  return bytes
}

/** A data folder of a test's own, with a database at the program's schema. */
export class TemporaryDatabase implements AsyncDisposable {
  readonly dir = mkdtempSync(join(tmpdir(), 'capture-database-'))
  readonly file = join(this.dir, 'capture.db')
  private readonly closing: (() => unknown)[] = []
  private forAccounts: Connection | undefined

  /** @param content of its file; none: an empty database */
  constructor(content?: Uint8Array) {
    empty ??= emptyDatabase()
    writeFileSync(this.file, content ?? empty)
  }

  /** Adds a migration, as a later version would. */
  migrateFurther(): void {
    const later = { hash: 'later', createdAt: Number.MAX_SAFE_INTEGER, statements: ['CREATE TABLE later (a integer)'] }
    applyMigrations(this.connect(), [...readMigrations(), later])
  }

  /** Another connection, as another process has it. */
  connect(): Connection {
    return this.closedLater(openConnection(this.file))
  }

  reader(): Connection {
    return this.closedLater(openReader(this.file))
  }

  /** Makes an account that has little but an id. */
  addAccount(id: string, timezone = 'UTC', goals: GoalSettings = { goals: [], funnels: [] }): void {
    const retention = { submissionsDays: null, eventsDays: null, refusedDays: 30 }
    const lists = { domains: [], origins: [], splits: [], ...goals }
    const settings = { timezone, botCheck: { secret: '' }, brand: {}, mailFrom: null, retention, ...lists }
    this.forAccounts ??= this.connect()
    this.forAccounts.raw.run(
      `INSERT INTO account (id, handle, settings, site_revision, changed_at_revision, created_at) VALUES (?, ?, ?, 1, 1, 0)`,
      [id, id, JSON.stringify(settings)],
    )
  }

  /** Called, last first, before the folder goes. */
  onClose(close: () => unknown): void {
    this.closing.push(close)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.closing.reverse()) await close()
    rmSync(this.dir, { recursive: true, force: true })
  }

  private closedLater(connection: Connection): Connection {
    this.onClose(() => connection.raw.close())
    return connection
  }
}
